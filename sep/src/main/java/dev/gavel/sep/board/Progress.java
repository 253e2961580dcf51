package dev.gavel.sep.board;

/** Told how far the work has come. */
@FunctionalInterface
public interface Progress {
    /** Tells nobody. */
    Progress NONE = _ -> {};

    /** The page of a proposal is written. */
    void written(int number);
}

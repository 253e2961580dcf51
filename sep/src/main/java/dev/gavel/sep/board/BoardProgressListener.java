package dev.gavel.sep.board;

/** Told how far the work has come. */
@FunctionalInterface
public interface BoardProgressListener {
    /** Tells nobody. */
    BoardProgressListener NONE = _ -> {};

    /** The page of a proposal is written. */
    void onPageWritten(int number);
}

package dev.gavel.sep.board;

/** Is notified whenever the board page of a SEP has been written. */
@FunctionalInterface
public interface BoardProgressListener {
    /** Tells nobody. */
    BoardProgressListener NONE = _ -> {};

    /** The page of a proposal is written. */
    void onPageWritten(int number);
}

package dev.gavel.sep.board;

/** Is notified whenever the board page of a SEP has been written. */
@FunctionalInterface
public interface BoardProgressListener {
    /** Ignores all notifications. */
    BoardProgressListener NONE = _ -> {};

    void onPageWritten(int number);
}

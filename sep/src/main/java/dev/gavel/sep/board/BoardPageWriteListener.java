package dev.gavel.sep.board;

/** Is notified each time the page of a SEP has been written to the static board. */
@FunctionalInterface
public interface BoardPageWriteListener {
    /** Ignores all notifications. */
    BoardPageWriteListener NONE = _ -> {};

    void onPageWritten(int number);
}

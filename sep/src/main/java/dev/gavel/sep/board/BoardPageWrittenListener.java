package dev.gavel.sep.board;

/** Is notified each time the page of a SEP has been written to the static board. */
@FunctionalInterface
public interface BoardPageWrittenListener {
    /** Ignores all notifications. */
    BoardPageWrittenListener NONE = _ -> {};

    void onPageWritten(int number);
}

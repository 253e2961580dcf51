package dev.gavel.sep.notification;

import java.util.List;
import java.util.Optional;

/** Reads notifications about SEPs in ledger order, after a given event. Thread-safe. */
@FunctionalInterface
public interface SepNotificationReader {
    /**
     * Returns at most the given number of entries after a sequence number, the earliest first; empty if there are none.
     */
    List<Entry> readAfter(long seq, int most);

    /** Returns what distinguishes the cursors of this source from those of other sources. */
    default String cursorSuffix() {
        return "";
    }

    /** Returns the sequence number of the latest entry, at which a new channel begins. */
    default long lastSeq() {
        return 0;
    }

    /**
     * A ledger event.
     *
     * @param notification the notification about the event, if there is one
     */
    record Entry(long seq, Optional<SepNotification> notification) {}
}

package dev.gavel.sep.notification;

import java.util.List;
import java.util.Optional;

/** Reads notifications in ledger order, after a given event. Thread-safe. */
@FunctionalInterface
public interface NotificationSource {
    /** What happened after a seq, the earliest first, at most so many; empty where nothing did. */
    List<Entry> readAfter(long seq, int most);

    /**
     * Something that happened.
     *
     * @param notification what is to be told of it, if anything
     */
    record Entry(long seq, Optional<SepNotification> notification) {}
}

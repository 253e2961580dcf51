package dev.gavel.sep.notification;

import java.util.function.LongSupplier;

/** Stores up to which event each channel has been notified, across restarts. Thread-safe. */
public interface DeliveryCursorStore {
    /**
     * Returns the sequence number of the last event delivered to a channel.
     *
     * @param start the position of a channel that has none yet; it is stored
     */
    long position(String channel, LongSupplier start);

    /** Records that a channel has been notified of all events up to a sequence number. */
    void advance(String channel, long seq);
}

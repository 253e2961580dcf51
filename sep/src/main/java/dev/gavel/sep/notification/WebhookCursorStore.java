package dev.gavel.sep.notification;

/** Stores up to which event each webhook has been notified, across restarts. Thread-safe. */
public interface WebhookCursorStore {
    /**
     * Returns the sequence number of the last event posted to a webhook. For a new webhook, it is the last event in the
     * ledger at the time of the first call.
     */
    long position(String hook);

    /** Records that a webhook has been notified of all events up to a sequence number. */
    void advance(String hook, long seq);
}

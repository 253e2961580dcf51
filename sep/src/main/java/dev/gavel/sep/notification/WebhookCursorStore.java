package dev.gavel.sep.notification;

/** Stores up to which event each webhook has been notified, across restarts. Thread-safe. */
public interface WebhookCursorStore {
    /** The last seq a webhook was told of; for one never told anything, the last there was when it was first asked for. */
    long position(String hook);

    /** A webhook was told of everything up to a seq. */
    void advance(String hook, long seq);
}

package dev.gavel.sep.notification;

/** Remembers, across restarts, how far each webhook was told. Thread-safe. */
public interface WebhookCursorStore {
    /** The last seq a webhook was told of; for one never told anything, the last there was when it was first asked for. */
    long position(String hook);

    /** A webhook was told of everything up to a seq. */
    void advance(String hook, long seq);
}

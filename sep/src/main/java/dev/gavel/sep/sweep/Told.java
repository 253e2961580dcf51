package dev.gavel.sep.sweep;

/** Remembers, across restarts, how far each webhook was told. Thread-safe. */
public interface Told {
    /** The last seq a webhook was told of; for one never told anything, the last there was when it was first asked for. */
    long upTo(String hook);

    /** A webhook was told of everything up to a seq. */
    void told(String hook, long seq);
}

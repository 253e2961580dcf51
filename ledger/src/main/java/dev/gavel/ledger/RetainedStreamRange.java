package dev.gavel.ledger;

/**
 * The first and last seq of the range in which a stream, after pruning, still has all its events. An unused stream has
 * 1 and 0.
 */
public record RetainedStreamRange(long first, long last) {
    /** A stream nothing was written to yet. */
    public static final RetainedStreamRange EMPTY = new RetainedStreamRange(1, 0);

    /** Whether everything after a seq is still there. */
    public boolean coversAfter(long seq) {
        return seq + 1 >= first;
    }
}

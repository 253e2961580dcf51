package dev.gavel.ledger;

/**
 * The range of a stream's events, from first to last seq (position in the stream), in which no event has been pruned. A
 * stream without events has the range 1 to 0.
 */
public record RetainedStreamRange(long first, long last) {
    /** The range of a stream without events. */
    public static final RetainedStreamRange EMPTY = new RetainedStreamRange(1, 0);

    /** Whether no event after {@code seq} was pruned. */
    public boolean coversAfter(long seq) {
        return seq + 1 >= first;
    }
}

package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A query for the subjects of a ledger stream, such as proposals: which to select by openness, state and owner, and in
 * which order. Immutable.
 *
 * @param open true for open subjects only, false for the others only, null for both
 * @param state the state to match; null for any
 * @param owner the owner to match; null for any
 * @param order the order by the subjects' start
 */
public record SubjectQuery(
        String stream,
        @Nullable Boolean open,
        @Nullable String state,
        @Nullable String owner,
        Order order) {
    /** The order of subjects by their start. */
    public enum Order {
        OLDEST_FIRST,
        NEWEST_FIRST
    }

    /** Selects all subjects of a stream, the newest first. */
    public static SubjectQuery of(String stream) {
        return new SubjectQuery(stream, null, null, null, Order.NEWEST_FIRST);
    }

    public SubjectQuery open(boolean value) {
        return new SubjectQuery(stream, value, state, owner, order);
    }

    public SubjectQuery state(String value) {
        return new SubjectQuery(stream, open, value, owner, order);
    }

    public SubjectQuery owner(String value) {
        return new SubjectQuery(stream, open, state, value, order);
    }

    public SubjectQuery order(Order value) {
        return new SubjectQuery(stream, open, state, owner, value);
    }
}

package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Selects the subjects of a stream by open flag, state and owner, and sets their order. Immutable.
 *
 * @param open only open ones, only others, or both
 * @param state only those in this state
 * @param owner only those of this owner
 * @param order by when they began
 */
public record SubjectQuery(
        String stream,
        @Nullable Boolean open,
        @Nullable String state,
        @Nullable String owner,
        Order order) {
    /** The order of subjects by when they began. */
    public enum Order {
        OLDEST_FIRST,
        NEWEST_FIRST
    }

    /** All subjects of a stream, the newest first. */
    public static SubjectQuery of(String stream) {
        return new SubjectQuery(stream, null, null, null, Order.NEWEST_FIRST);
    }

    public SubjectQuery open(boolean wanted) {
        return new SubjectQuery(stream, wanted, state, owner, order);
    }

    public SubjectQuery state(String wanted) {
        return new SubjectQuery(stream, open, wanted, owner, order);
    }

    public SubjectQuery owner(String wanted) {
        return new SubjectQuery(stream, open, state, wanted, order);
    }

    public SubjectQuery order(Order wanted) {
        return new SubjectQuery(stream, open, state, owner, wanted);
    }
}

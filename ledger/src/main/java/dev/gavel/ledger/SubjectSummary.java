package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a subject, computed from its events and stored beside them so that queries can find it.
 * Immutable; times are to the microsecond, which is what every database keeps.
 *
 * @param open whether it still waits for something to be decided
 * @param owner whose it is
 * @param dueAt when something is to be done about it by the clock, if anything is
 * @param endedAt when it ended, if it did; retention counts from here
 * @param lastSeq the seq of the last event counted in
 * @param body the rest, which only its writer understands
 */
public record SubjectSummary(
        String stream,
        String subject,
        String state,
        boolean open,
        String owner,
        @Nullable Instant dueAt,
        Instant startedAt,
        @Nullable Instant endedAt,
        long lastSeq,
        LedgerBody body) {
    public SubjectSummary {
        dueAt = toMicros(dueAt);
        startedAt = startedAt.truncatedTo(ChronoUnit.MICROS);
        endedAt = toMicros(endedAt);
    }

    private static @Nullable Instant toMicros(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}

package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a subject, such as a proposal or a SEP, computed from its events and stored in the ledger for
 * queries. Times are truncated to microseconds, the precision that every database stores. Immutable.
 *
 * @param open whether a decision is still pending
 * @param owner the participant to whom the subject belongs
 * @param dueAt the time of the next timed action, such as an expiry; null if there is none
 * @param endedAt the time at which the subject ended, from which retention counts; null if it has not ended
 * @param lastSeq the seq of the last event that this summary includes
 * @param body further content, which only the code that wrote it can read
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

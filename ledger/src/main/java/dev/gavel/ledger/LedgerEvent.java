package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An event of a ledger stream, with its seq, time, subject, type, actor, envelope reference and body. Immutable.
 *
 * @param stream the topic it happened in
 * @param seq its place in the stream: from 1, without gaps
 * @param at when, to the microsecond, which is what every database keeps
 * @param subject the proposal it happened to
 * @param type a short word for what happened
 * @param actor who did it
 * @param reference the id of the envelope that caused it; no two events kept in a stream have the same
 * @param body the rest, which only its writer understands
 */
public record LedgerEvent(
        String stream,
        long seq,
        Instant at,
        String subject,
        String type,
        String actor,
        @Nullable String reference,
        LedgerBody body) {
    public LedgerEvent {
        at = at.truncatedTo(ChronoUnit.MICROS);
        if (seq < 1) {
            throw new IllegalArgumentException("an event's seq is at least 1, not " + seq);
        }
    }
}

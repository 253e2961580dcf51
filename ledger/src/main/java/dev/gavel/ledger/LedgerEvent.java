package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An event of a ledger stream, with its seq, time, subject, type, actor, envelope reference and body. Immutable.
 *
 * @param stream the topic in which it happened
 * @param seq the position in the stream: from 1, without gaps
 * @param at the time of the event, truncated to microseconds, the precision that every database stores
 * @param subject the proposal that it is about
 * @param type a short word for what happened
 * @param actor the participant that caused it
 * @param reference the id of the envelope that caused it; unique among the events of a stream that are not pruned
 * @param body further content, which only the code that wrote it can read
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

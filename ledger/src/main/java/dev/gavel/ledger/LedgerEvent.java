package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An event of a ledger stream: what happened to a subject (such as a proposal or a SEP), when, and who caused it.
 * Immutable.
 *
 * @param stream the stream's name, such as the name of a topic
 * @param seq the position in the stream: from 1, without gaps
 * @param at the time of the event, truncated to microseconds, the precision that every database stores
 * @param subject the id of what it is about, such as a proposal or a SEP
 * @param type a short word for what happened
 * @param actor the participant or person that caused it
 * @param reference the id of what caused it, such as an envelope; unique among the events of a stream that are not
 *     pruned
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
            throw new IllegalArgumentException("an event's seq must be at least 1, not " + seq);
        }
    }
}

package dev.gavel.ledger;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads durable events, subject summaries and hash chains of a ledger. Every answer is bounded by a limit or by one
 * subject's history; what cannot be read throws {@link LedgerException}.
 */
public interface LedgerReader {
    /** The streams ever written to, by name. */
    List<String> streams();

    /** What is kept of a stream. */
    RetainedStreamRange retainedRange(String stream);

    /**
     * The hash of a stream's last event, where it takes that to know whether the stream is as one left it: in a store that
     * may be set back to an older state while it is written to, as a database is that fails over to a copy which lacks the
     * last events. Read by who writes.
     */
    default Optional<Hash> headHash(String stream) {
        return Optional.empty();
    }

    /** The last seq of each stream ever written to. */
    default Map<String, Long> lastSeqs() {
        Map<String, Long> heads = new LinkedHashMap<>();
        streams().forEach(stream -> heads.put(stream, retainedRange(stream).last()));
        return heads;
    }

    /** The events after a seq, at most so many. */
    default StreamReplayResult eventsAfter(String stream, long seq, int limit) {
        return eventsAfter(stream, seq, limit, Long.MAX_VALUE);
    }

    /** The events after a seq, at most so many, and no more once their bodies have so many bytes. */
    StreamReplayResult eventsAfter(String stream, long seq, int limit, long bytes);

    /** All events of one subject, in order; none where it is unknown. */
    List<LedgerEvent> history(String stream, String subject);

    /** The event an envelope caused. */
    Optional<LedgerEvent> findByReference(String stream, String reference);

    /** How a subject stands. */
    Optional<SubjectSummary> summary(String stream, String subject);

    /**
     * The subjects a query means, at most so many. Following the cursors visits every subject that matches throughout
     * exactly once, whatever is written meanwhile.
     *
     * @param cursor where an earlier page ended; null for the first. Throws {@link IllegalArgumentException} for one this
     *     ledger never gave.
     */
    SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit);

    /** The subjects of a stream that are due at or before a time, the longest due first, at most so many. */
    List<SubjectSummary> dueSubjects(String stream, Instant until, int limit);

    /**
     * The stream's chain after a seq, from which it can be verified: at most so many links, and no more once their
     * events' bodies have so many bytes.
     *
     * @param after {@link Long#MIN_VALUE} at first, then what the page before says
     */
    HashChainPage chainPage(String stream, long after, int limit, long bytes);

    /** How many streams there were that are in no list any more. Streams are never forgotten, so none may be. */
    long missingStreamCount();
}

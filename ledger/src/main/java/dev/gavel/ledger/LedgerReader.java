package dev.gavel.ledger;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ledger's durable events, its hash chains and the summaries of its subjects, such as proposals or SEPs. Every
 * result is bounded by a limit or by the history of one subject. A failed read throws {@link LedgerException}.
 */
public interface LedgerReader {
    /**
     * The stream of changes to identities, such as revocations. A writer task of any other stream may read it, so that
     * it decides with the access that is in effect.
     */
    String IDENTITY_STREAM = "system:identities";

    /** The number of events that {@link #replay} reads at a time. */
    int REPLAY_BATCH = 1000;

    /** Returns all streams that were ever written to, ordered by name. */
    List<String> streams();

    /** Returns the range of a stream that was not pruned. */
    RetainedStreamRange retainedRange(String stream);

    /**
     * Returns the hash of a stream's last event; empty if the store cannot be set back to an older state while it is in
     * use. A database that fails over to a standby can be set back, if the standby lacks the last events. Only the
     * ledger writer reads the hash, to detect that another process wrote to the stream.
     */
    default Optional<Hash> headHash(String stream) {
        return Optional.empty();
    }

    /**
     * Returns the last seq of {@link #IDENTITY_STREAM}. Within a write, no other process changes the stream until the
     * write is durable.
     */
    default long lastIdentitySeq() {
        return retainedRange(IDENTITY_STREAM).last();
    }

    /** Returns the last seq of each stream that was ever written to. */
    default Map<String, Long> lastSeqs() {
        Map<String, Long> seqByStream = new LinkedHashMap<>();
        streams()
                .forEach(stream -> seqByStream.put(stream, retainedRange(stream).last()));
        return seqByStream;
    }

    /** Returns at most {@code limit} events after a seq. */
    default StreamReadResult eventsAfter(String stream, long seq, int limit) {
        return eventsAfter(stream, seq, limit, Long.MAX_VALUE);
    }

    /**
     * Returns at most {@code limit} events after a seq, and stops once their bodies have {@code maxBytes} bytes
     * together.
     */
    StreamReadResult eventsAfter(String stream, long seq, int limit, long maxBytes);

    /** Passes all events of a stream to {@code sink}, in order and each once, even if sequence numbers are missing. */
    default void replay(String stream, Consumer<LedgerEvent> sink) {
        long last = 0;
        List<LedgerEvent> next;
        do {
            next = switch (eventsAfter(stream, last, REPLAY_BATCH)) {
                case StreamReadResult.Events(List<LedgerEvent> events) -> events;
                case StreamReadResult.Resync(RetainedStreamRange retainedRange) ->
                    throw new LedgerException("stream '" + stream + "' begins with seq " + retainedRange.first()
                            + "; the events before it are missing");
            };
            next.forEach(sink);
            last = next.isEmpty() ? last : next.getLast().seq();
        } while (!next.isEmpty());
    }

    /** Returns the sizes and times of at most {@code limit} events after a seq, in order, without their bodies. */
    List<EventSize> eventSizesAfter(String stream, long seq, int limit);

    /** Returns all events of one subject in order; empty if the subject is unknown. */
    List<LedgerEvent> history(String stream, String subject);

    /** Returns the event with this reference, such as the id of the envelope that caused it. */
    Optional<LedgerEvent> findByReference(String stream, String reference);

    /** Returns the current summary of a subject. */
    Optional<SubjectSummary> summary(String stream, String subject);

    /**
     * Returns at most {@code limit} subjects that match a query. A caller that follows the cursors gets each subject
     * that matches the whole time exactly once, whatever is written in the meantime.
     *
     * @param cursor the end of an earlier page; null for the first page. A cursor that this ledger did not issue throws
     *     {@link IllegalArgumentException}.
     */
    SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit);

    /** Returns at most {@code limit} subjects of a stream that are due at or before a time, ordered by due time. */
    List<SubjectSummary> dueSubjects(String stream, Instant until, int limit);

    /**
     * Returns how much of the ledger an identity uses at a time.
     *
     * @param starts the number of latest starts to return
     */
    OwnerUsage ownerUsage(String owner, Instant now, int starts);

    /**
     * Returns the entries of a stream's hash chain after a seq, for verification: at most {@code limit} entries, and no
     * more once the bodies of their events have {@code maxBytes} bytes together.
     *
     * @param after {@link Long#MIN_VALUE} for the first page, then {@link HashChainPage#nextAfter} of the page before
     */
    HashChainPage chainPage(String stream, long after, int limit, long maxBytes);

    /** Returns how many streams are missing from the list of streams. Streams are never deleted, so it must be 0. */
    long missingStreamCount();
}

package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a topic's proposal events after a given sequence number in bounded chunks, keeping all events caused by one
 * envelope together.
 */
final class ProposalEventChunkReader {
    private static final int INITIAL_EVENTS = 64;

    /** More than one envelope can cause: a thousand rejections, each with its closing event. */
    private static final int MAX_EVENTS = 4096;

    private static final long INITIAL_BYTES = 256 * 1024;
    private static final int GROWTH_FACTOR = 4;

    private final LedgerReader ledger;
    private final String topic;
    private final ProposalMessageAccess proposalMessageAccess;
    private final Function<String, Optional<String>> cachedProposer;
    private final Map<String, String> proposers = new HashMap<>();

    ProposalEventChunkReader(LedgerReader ledger, String topic, ProposalMessageAccess proposalMessageAccess) {
        this(ledger, topic, proposalMessageAccess, id -> Optional.empty());
    }

    /**
     * Creates a reader.
     *
     * @param proposalMessageAccess determines the members that may read a message and its secret arguments
     * @param cachedProposer returns a proposal's proposer if it is known without reading the ledger
     */
    ProposalEventChunkReader(
            LedgerReader ledger,
            String topic,
            ProposalMessageAccess proposalMessageAccess,
            Function<String, Optional<String>> cachedProposer) {
        this.ledger = ledger;
        this.topic = topic;
        this.proposalMessageAccess = proposalMessageAccess;
        this.cachedProposer = cachedProposer;
    }

    /** Returns the messages after a seq, as they were sent then. */
    MessageReplayResult after(long seq) {
        RetainedStreamRange retained = ledger.retainedRange(topic);
        if (seq > retained.last()) {
            return new MessageReplayResult.Resync(retained.first(), retained.last());
        }
        return switch (readChunk(seq, Long.MAX_VALUE)) {
            case PrunedGap(RetainedStreamRange retainedStreamRange) ->
                new MessageReplayResult.Resync(retainedStreamRange.first(), retainedStreamRange.last());
            case EventChunk eventChunk -> new MessageReplayResult.Messages(messages(eventChunk), eventChunk.upTo(seq));
        };
    }

    /** The result of reading a chunk. */
    sealed interface ReadResult {}

    /** Some of the following events, in order. */
    record EventChunk(List<RecordedProposalEvent> events) implements ReadResult {
        /** The last seq of the chunk; {@code after} if it is empty. */
        long upTo(long after) {
            return events.isEmpty() ? after : events.getLast().seq();
        }
    }

    /** Some of the following events are no longer retained. */
    record PrunedGap(RetainedStreamRange retained) implements ReadResult {}

    /**
     * Reads the events after a seq, up to {@code until} and on to the end of the events that one envelope caused there.
     */
    ReadResult readChunk(long seq, long until) {
        return readChunk(seq, until, INITIAL_EVENTS, INITIAL_BYTES);
    }

    private ReadResult readChunk(long seq, long until, int limit, long bytes) {
        return switch (ledger.eventsAfter(topic, seq, limit, bytes)) {
            case StreamReadResult.Resync(RetainedStreamRange retained) -> new PrunedGap(retained);
            case StreamReadResult.Events(List<LedgerEvent> events) -> {
                List<RecordedProposalEvent> recordedEvents =
                        events.stream().map(this::toRecorded).toList();
                long read = recordedEvents.stream()
                        .mapToLong(RecordedProposalEvent::bytes)
                        .sum();
                boolean moreFollow = recordedEvents.size() == limit || read >= bytes;
                List<RecordedProposalEvent> chunk = readChunk(recordedEvents, until, moreFollow);
                boolean cutShort = chunk.isEmpty()
                        && !recordedEvents.isEmpty()
                        && recordedEvents.getFirst().seq() <= until;
                yield cutShort && limit < MAX_EVENTS
                        ? readChunk(seq, until, limit * GROWTH_FACTOR, bytes * GROWTH_FACTOR)
                        : new EventChunk(chunk);
            }
        };
    }

    /** Returns the messages to send for a chunk. */
    List<OutgoingProposalMessage> messages(EventChunk eventChunk) {
        return new OutgoingProposalMessageBuilder(
                        eventChunk.events(),
                        reference -> ProposalUnitOfWork.envelopeOf(ledger.findByReference(topic, reference)),
                        proposalMessageAccess)
                .build();
    }

    /** Returns the runs that were certainly read to their end and that begin at {@code until} or before. */
    private static List<RecordedProposalEvent> readChunk(
            List<RecordedProposalEvent> events, long until, boolean moreFollow) {
        int end = 0;
        while (end < events.size() && events.get(end).seq() <= until) {
            int next = OutgoingProposalMessageBuilder.endOfRun(events, end);
            if (next == events.size() && moreFollow && OutgoingProposalMessageBuilder.mayContinue(events.get(end))) {
                // The events of the last envelope may continue beyond what was read.
                break;
            }
            end = next;
        }
        return events.subList(0, end);
    }

    private RecordedProposalEvent toRecorded(LedgerEvent event) {
        ProposalEvent proposalEvent = ProposalLedgerMapper.toProposalEvent(event);
        String proposer = proposalEvent instanceof Proposed proposed
                ? proposed.actor()
                : proposers.computeIfAbsent(
                        event.subject(),
                        id -> cachedProposer
                                .apply(id)
                                .or(() -> ledger.summary(topic, id).map(SubjectSummary::owner))
                                .orElse(""));
        return new RecordedProposalEvent(event, proposer, proposalEvent);
    }
}

package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads from the ledger the proposal events, written by any process, that a topic has not yet published. All events of
 * the topic's proposals pass through here in order, either read or added with {@link #cacheChanges}, so a proposal need
 * not be read from its beginning for its next event. Used by one thread at a time.
 */
public final class UnpublishedEventReader {
    private static final int MAX_PROPOSALS = 2_000;
    private static final long MAX_BYTES = 8L << 20;

    private final LedgerReader ledger;
    private final String topic;
    private final Supplier<ProposalDecider> decider;
    private final ProposalMessageAccess proposalMessageAccess;

    /** In access order, least recently used first; empty until the first read. */
    private final LinkedHashMap<String, ProposalSnapshot> cachedProposals = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private boolean active;

    UnpublishedEventReader(
            LedgerReader ledger,
            String topic,
            Supplier<ProposalDecider> decider,
            ProposalMessageAccess proposalMessageAccess) {
        this.proposalMessageAccess = proposalMessageAccess;
        this.ledger = ledger;
        this.topic = topic;
        this.decider = decider;
    }

    /** Reads some of what was decided after a seq and up to another; empty if it is no longer retained. */
    public Optional<ProposalStoreResult.Committed> after(long seq, long until) {
        active = true;
        ProposalEventChunkReader eventChunkReader = new ProposalEventChunkReader(
                ledger,
                topic,
                proposalMessageAccess,
                id -> Optional.ofNullable(cachedProposals.get(id)).map(ProposalSnapshot::proposer));
        return switch (eventChunkReader.readChunk(seq, until)) {
            case ProposalEventChunkReader.PrunedGap _ -> Optional.empty();
            case ProposalEventChunkReader.EventChunk eventChunk ->
                Optional.of(toCommitted(eventChunk, eventChunkReader.messages(eventChunk), seq));
        };
    }

    /** Adds changes that this process decided, which are published without being read. */
    public void cacheChanges(List<AppliedProposalEvent> changes) {
        if (active) {
            changes.forEach(change -> cache(change.after()));
        }
    }

    private ProposalStoreResult.Committed toCommitted(
            ProposalEventChunkReader.EventChunk eventChunk, List<OutgoingProposalMessage> messages, long seq) {
        List<AppliedProposalEvent> changes = new ArrayList<>();
        Map<String, ProposalSnapshot> changed = new LinkedHashMap<>();
        for (RecordedProposalEvent each : eventChunk.events()) {
            ProposalTimelineEntry proposalTimelineEntry =
                    new ProposalTimelineEntry(each.ledgerEvent().at(), each.event());
            Optional<ProposalSnapshot> after = after(changed, each, proposalTimelineEntry);
            after.ifPresent(proposalSnapshot -> {
                changed.put(proposalSnapshot.id(), proposalSnapshot);
                changes.add(new AppliedProposalEvent(proposalSnapshot, proposalTimelineEntry));
            });
        }
        // Cached only now: if reading fails midway, everything is read again.
        changed.values().forEach(this::cache);
        ProposalDecider currentDecider = decider.get();
        return new ProposalStoreResult.Committed(
                messages,
                changed.values().stream()
                        .map(proposalSnapshot -> InMemoryPendingProposal.of(proposalSnapshot, currentDecider))
                        .toList(),
                changes,
                List.of(),
                eventChunk.events().isEmpty() ? 0 : seq + 1,
                eventChunk.upTo(seq),
                List.of());
    }

    private Optional<ProposalSnapshot> after(
            Map<String, ProposalSnapshot> changed,
            RecordedProposalEvent each,
            ProposalTimelineEntry proposalTimelineEntry) {
        if (each.event() instanceof Proposed proposed) {
            return Optional.of(
                    ProposalSnapshot.create(proposed, each.ledgerEvent().at()));
        }
        ProposalSnapshot before = changed.getOrDefault(each.proposal(), cachedProposals.get(each.proposal()));
        if (before != null) {
            return Optional.of(before.withEvents(proposalTimelineEntry));
        }
        List<LedgerEvent> history = ledger.history(topic, each.proposal()).stream()
                .filter(event -> event.seq() <= each.seq())
                .toList();
        return ProposalLedgerMapper.toProposal(history);
    }

    private void cache(ProposalSnapshot proposalSnapshot) {
        ProposalSnapshot before = cachedProposals.put(proposalSnapshot.id(), proposalSnapshot);
        bytes += weight(proposalSnapshot) - (before == null ? 0 : weight(before));
        while (cachedProposals.size() > MAX_PROPOSALS || (bytes > MAX_BYTES && !cachedProposals.isEmpty())) {
            bytes -= weight(cachedProposals.pollFirstEntry().getValue());
        }
    }

    /** Clears the cache, because events may have occurred that did not pass through here. */
    public void clearCache() {
        cachedProposals.clear();
        bytes = 0;
    }

    private static long weight(ProposalSnapshot proposalSnapshot) {
        long definitions = proposalSnapshot.timeline().stream()
                .flatMap(entry -> switch (entry.event()) {
                    case Proposed proposed -> proposed.tools().stream();
                    case Fulfilled fulfilled -> fulfilled.tools().stream();
                    case ApprovalHeld held -> held.approval().tools().stream();
                    default -> Stream.<RecordedToolDefinition>empty();
                })
                .flatMap(tool -> tool.definition().stream())
                .mapToLong(definition -> definition.canonical().length())
                .sum();
        return 1_000L + proposalSnapshot.payload().length() + 2 * definitions;
    }
}

package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.ledger.LedgerEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Caches proposals built from their events, so that the ledger writer thread need not rebuild them for each decision.
 * Confined to that thread. Each entry is compared with the history on every use, so that an entry with events that were
 * decided but not written is not used.
 */
final class ProposalCache {
    private static final long MAX_BYTES = 16L << 20;

    /** In access order, least recently used first. */
    private final LinkedHashMap<String, CachedProposal> cachedProposals = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /**
     * A proposal after some of its events.
     *
     * @param eventCount the number of events
     * @param lastEvent the last of them
     */
    private record CachedProposal(
            ProposalSnapshot proposalSnapshot, int eventCount, LedgerEvent lastEvent, long bytes) {
        boolean isPrefixOf(List<LedgerEvent> history) {
            return history.size() >= eventCount && history.get(eventCount - 1).equals(lastEvent);
        }
    }

    /** Returns the proposal with this history; empty if the history is empty. */
    Optional<ProposalSnapshot> proposal(String id, List<LedgerEvent> history) {
        if (history.isEmpty()) {
            return Optional.empty();
        }
        CachedProposal cached = cachedProposals.get(id);
        if (cached == null || !cached.isPrefixOf(history)) {
            return put(id, ProposalLedgerMapper.toProposal(history).orElseThrow(), history);
        }
        return cached.eventCount() == history.size()
                ? Optional.of(cached.proposalSnapshot())
                : put(
                        id,
                        cached.proposalSnapshot()
                                .withEvents(ProposalLedgerMapper.toTimeline(
                                        history.subList(cached.eventCount(), history.size()))),
                        history);
    }

    /** Removes a proposal that will rarely change again, to free memory. */
    void evict(String id) {
        CachedProposal cached = cachedProposals.remove(id);
        bytes -= cached == null ? 0 : cached.bytes();
    }

    private Optional<ProposalSnapshot> put(String id, ProposalSnapshot proposalSnapshot, List<LedgerEvent> history) {
        CachedProposal entry = new CachedProposal(
                proposalSnapshot, history.size(), history.getLast(), ProposalLedgerMapper.totalBytes(history));
        CachedProposal cached = cachedProposals.put(id, entry);
        bytes += entry.bytes() - (cached == null ? 0 : cached.bytes());
        while (bytes > MAX_BYTES) {
            bytes -= cachedProposals.pollFirstEntry().getValue().bytes();
        }
        return Optional.of(proposalSnapshot);
    }
}

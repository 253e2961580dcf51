package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.InMemoryPendingProposal;
import java.util.ArrayList;
import java.util.List;

/**
 * A size-limited batch of pending proposals that a topic checks, updates or expires with one request to the proposal
 * store.
 */
final class SweepBatch {
    private static final int MAX_PROPOSALS = 200;
    private static final long MAX_BYTES = 8L << 20;

    private final List<InMemoryPendingProposal> proposals = new ArrayList<>();
    private long bytes;

    boolean isFull() {
        return proposals.size() == MAX_PROPOSALS || bytes >= MAX_BYTES;
    }

    void add(InMemoryPendingProposal inMemoryPendingProposal) {
        proposals.add(inMemoryPendingProposal);
        bytes += inMemoryPendingProposal.approximateBytes();
    }

    List<InMemoryPendingProposal> proposals() {
        return proposals;
    }
}

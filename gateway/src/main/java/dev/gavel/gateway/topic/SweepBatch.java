package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.PendingProposalEntry;
import java.util.ArrayList;
import java.util.List;

/** A batch of proposals that a topic checks, updates or expires in one request, limited in number and bytes. */
final class SweepBatch {
    private static final int MAX_PROPOSALS = 200;
    private static final long MAX_BYTES = 8L << 20;

    private final List<PendingProposalEntry> proposals = new ArrayList<>();
    private long bytes;

    boolean isFull() {
        return proposals.size() == MAX_PROPOSALS || bytes >= MAX_BYTES;
    }

    void add(PendingProposalEntry pendingProposalEntry) {
        proposals.add(pendingProposalEntry);
        bytes += pendingProposalEntry.approximateBytes();
    }

    List<PendingProposalEntry> proposals() {
        return proposals;
    }
}

package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.Optional;

/**
 * The fields of a proposal that the ledger's index stores so that queries find the proposal: state, proposer and times.
 *
 * @param owner its proposer
 * @param dueAt when to call {@link ProposalDecider#decideTimeout}
 */
public record ProposalIndexEntry(
        String id,
        ProposalState state,
        boolean open,
        String owner,
        Optional<Instant> dueAt,
        Instant startedAt,
        Optional<Instant> endedAt) {}

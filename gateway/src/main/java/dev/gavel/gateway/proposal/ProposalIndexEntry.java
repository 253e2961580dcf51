package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.Optional;

/**
 * The line an index keeps of a proposal, to find it by.
 *
 * @param owner its proposer
 * @param dueAt when to carry out what time brings, see {@link ProposalDecider#expireDue}
 */
public record ProposalIndexEntry(
        String id,
        ProposalState state,
        boolean open,
        String owner,
        Optional<Instant> dueAt,
        Instant startedAt,
        Optional<Instant> endedAt) {}

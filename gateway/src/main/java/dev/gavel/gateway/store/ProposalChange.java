package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;

/** An event of a proposal with the proposal's state after it. Immutable. */
public record ProposalChange(ProposalSnapshot after, ProposalTimelineEntry entry) {}

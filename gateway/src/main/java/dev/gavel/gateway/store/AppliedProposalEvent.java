package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;

/** An event of a proposal, and the proposal as it is after that event. Immutable. */
public record AppliedProposalEvent(ProposalSnapshot after, ProposalTimelineEntry entry) {}

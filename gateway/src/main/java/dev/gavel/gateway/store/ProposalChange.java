package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;

/** Something that happened to a proposal, and how it stands after that. Immutable. */
public record ProposalChange(ProposalSnapshot after, ProposalTimelineEntry entry) {}

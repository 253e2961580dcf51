package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.Step;

/** Something that happened to a proposal, and how it stands after that. Immutable. */
public record Change(Proposal after, Step step) {}

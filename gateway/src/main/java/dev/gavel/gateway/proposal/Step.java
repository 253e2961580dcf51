package dev.gavel.gateway.proposal;

import java.time.Instant;

/** An event and when it happened. */
public record Step(Instant at, ProposalEvent event) {}

package dev.gavel.gateway.proposal;

import java.time.Instant;

/** An event and when it happened. */
public record ProposalTimelineEntry(Instant at, ProposalEvent event) {}

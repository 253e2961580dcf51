package dev.gavel.gateway.proposal;

import java.time.Instant;

/** A proposal event and when it happened. */
public record ProposalTimelineEntry(Instant at, ProposalEvent event) {}

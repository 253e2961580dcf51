package dev.gavel.ledger;

import java.util.List;

/** Computes the summary of a subject from all its events, in order. Pure: the same events give the same summary. */
@FunctionalInterface
public interface SummaryProjector {
    /** How it stands, given its events in order, of which there is at least one. */
    SubjectSummary project(List<LedgerEvent> history);
}

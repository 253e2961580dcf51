package dev.gavel.ledger;

import java.util.List;

/** Says how a subject stands after all its events. Pure: the same events give the same summary. */
@FunctionalInterface
public interface SummaryProjector {
    /** How it stands, given its events in order, of which there is at least one. */
    SubjectSummary project(List<LedgerEvent> history);
}

package dev.gavel.ledger;

import java.util.List;

/**
 * Computes the summary of one ledger subject, such as a proposal, a SEP or an identity, from all its events in order.
 * Pure: the same events give the same summary.
 */
@FunctionalInterface
public interface SummaryProjector {
    /**
     * Returns the summary of a subject.
     *
     * @param history all its events in order, at least one
     */
    SubjectSummary project(List<LedgerEvent> history);
}

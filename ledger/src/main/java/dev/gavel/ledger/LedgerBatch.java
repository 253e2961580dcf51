package dev.gavel.ledger;

import java.util.List;

/**
 * The events, and the summaries of subjects such as proposals, that the ledger store writes in one transaction.
 * Immutable.
 */
public record LedgerBatch(List<LedgerEvent> events, List<SubjectSummary> summaries) {
    public static final LedgerBatch EMPTY = new LedgerBatch(List.of(), List.of());

    public LedgerBatch {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
    }

    public boolean isEmpty() {
        return events.isEmpty() && summaries.isEmpty();
    }
}

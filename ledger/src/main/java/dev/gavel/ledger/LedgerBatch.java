package dev.gavel.ledger;

import java.util.List;

/**
 * What is written in one go, all or nothing: events, in each stream in the order of their seqs and right after the last
 * one kept, and how their subjects stand after them. Immutable.
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

package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Validates the events and subject summaries that a writer task wants to append to the ledger, before they are added to
 * the batch.
 */
record LedgerAppendValidator(BatchBuilder batch, BatchTaskContext context) {
    /**
     * Returns the changed subjects after the decision; throws {@link IllegalArgumentException} if it cannot be written.
     */
    Map<SubjectCacheEntry.Key, SubjectCacheEntry> validate(TaskDecision<?> taskDecision) {
        require(
                taskDecision.events().equals(context.createdEvents()),
                "a decision must contain all events that its task created, in order");
        Map<SubjectCacheEntry.Key, SubjectCacheEntry> after = new LinkedHashMap<>();
        Set<String> references = new HashSet<>();
        for (LedgerEvent event : taskDecision.events()) {
            String reference = event.reference();
            require(
                    reference == null || (references.add(reference) && context.isUnused(reference)),
                    "another event has the reference " + reference);
            SubjectCacheEntry.Key key = new SubjectCacheEntry.Key(event.stream(), event.subject());
            SubjectCacheEntry before = after.get(key);
            after.put(key, (before == null ? batch.subject(event.stream(), event.subject()) : before).plus(event));
        }
        Set<SubjectCacheEntry.Key> summarisedKeys = new HashSet<>();
        for (SubjectSummary summary : taskDecision.summaries()) {
            SubjectCacheEntry.Key key = new SubjectCacheEntry.Key(summary.stream(), summary.subject());
            SubjectCacheEntry subjectCacheEntry = after.get(key);
            require(
                    subjectCacheEntry != null
                            && subjectCacheEntry.history().getLast().seq() == summary.lastSeq()
                            && summarisedKeys.add(key),
                    "a summary must be the only one of a changed subject and include its last event: " + summary);
            if (subjectCacheEntry != null) {
                after.put(key, subjectCacheEntry.with(summary));
            }
        }
        require(summarisedKeys.size() == after.size(), "every changed subject needs a summary");
        return after;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}

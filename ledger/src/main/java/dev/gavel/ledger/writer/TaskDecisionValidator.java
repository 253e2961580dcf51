package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Checks that the events and summaries a task decided can be written, before they join the batch. */
record TaskDecisionValidator(BatchBuilder batch, BatchTaskContext context) {
    /**
     * Returns the changed subjects after the decision; throws {@link IllegalArgumentException} if it cannot be written.
     */
    Map<SubjectSnapshot.Key, SubjectSnapshot> validate(TaskDecision<?> taskDecision) {
        require(
                taskDecision.events().equals(context.createdEvents()),
                "a task decides all the events it made, in their order");
        Map<SubjectSnapshot.Key, SubjectSnapshot> after = new LinkedHashMap<>();
        Set<String> references = new HashSet<>();
        for (LedgerEvent event : taskDecision.events()) {
            String reference = event.reference();
            require(
                    reference == null || (references.add(reference) && context.isUnused(reference)),
                    "another event has the reference " + reference);
            SubjectSnapshot.Key key = new SubjectSnapshot.Key(event.stream(), event.subject());
            SubjectSnapshot before = after.get(key);
            after.put(key, (before == null ? batch.subject(event.stream(), event.subject()) : before).plus(event));
        }
        Set<SubjectSnapshot.Key> summarisedKeys = new HashSet<>();
        for (SubjectSummary summary : taskDecision.summaries()) {
            SubjectSnapshot.Key key = new SubjectSnapshot.Key(summary.stream(), summary.subject());
            SubjectSnapshot subjectSnapshot = after.get(key);
            require(
                    subjectSnapshot != null
                            && subjectSnapshot.history().getLast().seq() == summary.lastSeq()
                            && summarisedKeys.add(key),
                    "a summary is of a subject something happened to, once, and up to its last event: " + summary);
            if (subjectSnapshot != null) {
                after.put(key, subjectSnapshot.with(summary));
            }
        }
        require(summarisedKeys.size() == after.size(), "a subject something happened to needs a summary");
        return after;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}

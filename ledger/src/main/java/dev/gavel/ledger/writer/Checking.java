package dev.gavel.ledger.writer;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Makes sure that what a task decided can be written: found out only by the database, one task's mistake would fail the
 * whole batch.
 */
record Checking(Deciding deciding, TaskView view) {
    /** How the subjects are after it; throws where it cannot be written. */
    Map<Known.Key, Known> check(Decided<?> decided) {
        require(decided.events().equals(view.made()), "a task decides all the events it made, in their order");
        Map<Known.Key, Known> after = new LinkedHashMap<>();
        Set<String> references = new HashSet<>();
        for (Event event : decided.events()) {
            String reference = event.reference();
            require(
                    reference == null || (references.add(reference) && view.isUnused(reference)),
                    "another event has the reference " + reference);
            Known.Key key = new Known.Key(event.stream(), event.subject());
            Known before = after.get(key);
            after.put(key, (before == null ? deciding.known(event.stream(), event.subject()) : before).plus(event));
        }
        Set<Known.Key> summarised = new HashSet<>();
        for (Summary summary : decided.summaries()) {
            Known.Key key = new Known.Key(summary.stream(), summary.subject());
            Known known = after.get(key);
            require(
                    known != null && known.history().getLast().seq() == summary.lastSeq() && summarised.add(key),
                    "a summary is of a subject something happened to, once, and up to its last event: " + summary);
            if (known != null) {
                after.put(key, known.with(summary));
            }
        }
        require(summarised.size() == after.size(), "a subject something happened to needs a summary");
        return after;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}

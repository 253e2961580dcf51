package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.List;

/**
 * The decision of a writer task: the result for its submitter and the events and summaries to write. Immutable.
 *
 * @param result what to tell whoever asked, once this is durable
 * @param events all that {@link WriterTaskContext#createEvent} made, in that order
 * @param summaries how each subject of these events stands after them
 */
public record TaskDecision<R>(R result, List<LedgerEvent> events, List<SubjectSummary> summaries) {
    public TaskDecision {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
    }

    /** Nothing is to be written. */
    public static <R> TaskDecision<R> nothing(R result) {
        return new TaskDecision<>(result, List.of(), List.of());
    }

    /** One event of one subject. */
    public static <R> TaskDecision<R> one(R result, LedgerEvent event, SubjectSummary summary) {
        return new TaskDecision<>(result, List.of(event), List.of(summary));
    }
}

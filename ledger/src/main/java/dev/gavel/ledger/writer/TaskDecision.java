package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.List;

/**
 * What a writer task returns: the events and summaries to write to the ledger, and the result for the code that
 * submitted the task. Immutable.
 *
 * @param result the result that the submitter gets once the events are durable
 * @param events all events that {@link WriterTaskContext#createEvent} returned, in that order
 * @param summaries the summary of each subject of these events, after them
 */
public record TaskDecision<R>(R result, List<LedgerEvent> events, List<SubjectSummary> summaries) {
    public TaskDecision {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
    }

    /** Returns a decision that writes nothing. */
    public static <R> TaskDecision<R> withoutEvents(R result) {
        return new TaskDecision<>(result, List.of(), List.of());
    }

    /** Returns a decision that writes one event of one subject. */
    public static <R> TaskDecision<R> ofEvent(R result, LedgerEvent event, SubjectSummary summary) {
        return new TaskDecision<>(result, List.of(event), List.of(summary));
    }
}

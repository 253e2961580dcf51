package dev.gavel.ledger.writer;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import java.util.List;

/**
 * What a task decided. Immutable.
 *
 * @param result what to tell whoever asked, once this is durable
 * @param events all that {@link View#event} made, in that order
 * @param summaries how each subject of these events stands after them
 */
public record Decided<R>(R result, List<Event> events, List<Summary> summaries) {
    public Decided {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
    }

    /** Nothing is to be written. */
    public static <R> Decided<R> nothing(R result) {
        return new Decided<>(result, List.of(), List.of());
    }

    /** One event of one subject. */
    public static <R> Decided<R> one(R result, Event event, Summary summary) {
        return new Decided<>(result, List.of(event), List.of(summary));
    }
}

package dev.gavel.lifecycle.result;

import java.util.List;

/**
 * The result of a command on a specification proposal: accepted, with the events it produced, or refused, with a
 * reason.
 *
 * @param <E> the event type of the lifecycle
 */
public sealed interface LifecycleCommandResult<E> {
    /**
     * The command was accepted and produced these events.
     *
     * @param advice unmet recommendations, which did not block the command
     */
    record Accepted<E>(List<E> events, List<String> advice) implements LifecycleCommandResult<E> {
        public Accepted {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** The command was refused and produced no events. */
    record Refused<E>(LifecycleRefusal refusal) implements LifecycleCommandResult<E> {}

    /** Returns an accepted result without advice. */
    static <E> LifecycleCommandResult<E> accepted(List<E> events) {
        return new Accepted<>(events, List.of());
    }

    static <E> LifecycleCommandResult<E> refused(LifecycleRefusal refusal) {
        return new Refused<>(refusal);
    }
}

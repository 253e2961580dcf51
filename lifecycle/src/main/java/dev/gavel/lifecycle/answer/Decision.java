package dev.gavel.lifecycle.answer;

import java.util.List;

/**
 * What comes of a command.
 *
 * @param <E> the events of the lifecycle that decides
 */
public sealed interface Decision<E> {
    /**
     * It is so: these events happened.
     *
     * @param advice what had better have been there too, and stopped nothing
     */
    record Accepted<E>(List<E> events, List<String> advice) implements Decision<E> {
        public Accepted {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** Nothing happened, for this reason. */
    record Refused<E>(Refusal refusal) implements Decision<E> {}

    /** Accepted without further advice. */
    static <E> Decision<E> accepted(List<E> events) {
        return new Accepted<>(events, List.of());
    }

    /** Refused. */
    static <E> Decision<E> refused(Refusal refusal) {
        return new Refused<>(refusal);
    }
}

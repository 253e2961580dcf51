package dev.gavel.lifecycle.result;

import java.util.List;

/**
 * The result of a lifecycle command: accepted with its events, or refused with a reason.
 *
 * @param <E> the events of the lifecycle that decides
 */
public sealed interface LifecycleResult<E> {
    /**
     * It is so: these events happened.
     *
     * @param advice what had better have been there too, and stopped nothing
     */
    record Accepted<E>(List<E> events, List<String> advice) implements LifecycleResult<E> {
        public Accepted {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** Nothing happened, for this reason. */
    record Refused<E>(LifecycleRefusal refusal) implements LifecycleResult<E> {}

    /** Accepted without further advice. */
    static <E> LifecycleResult<E> accepted(List<E> events) {
        return new Accepted<>(events, List.of());
    }

    /** Refused. */
    static <E> LifecycleResult<E> refused(LifecycleRefusal refusal) {
        return new Refused<>(refusal);
    }
}

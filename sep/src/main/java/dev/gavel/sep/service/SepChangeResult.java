package dev.gavel.sep.service;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.sep.Sep;
import java.util.List;

/** The result of changing a SEP: applied, refused, invalid or not found. */
sealed interface SepChangeResult {
    /**
     * It is so, and kept.
     *
     * @param events what happened; none where it was so already
     * @param advice what had better be otherwise, and stopped nothing
     */
    record Applied(Sep sep, List<LifecycleEvent> events, List<String> advice) implements SepChangeResult {
        public Applied {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** It was refused. */
    record Refused(LifecycleRefusal refusal) implements SepChangeResult {}

    /** It could not be understood. */
    record Invalid(String message) implements SepChangeResult {}

    /** There is no such proposal. */
    record NotFound(int number) implements SepChangeResult {}
}

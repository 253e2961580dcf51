package dev.gavel.sep.service;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.sep.Sep;
import java.util.List;

/** The result of changing a SEP: applied, refused, invalid or not found. */
sealed interface SepChangeResult {
    /**
     * The change is applied and stored.
     *
     * @param events the new events; empty if no change was necessary
     * @param advice recommendations that did not prevent the change
     */
    record Applied(Sep sep, List<LifecycleEvent> events, List<String> advice) implements SepChangeResult {
        public Applied {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** The process refused the change. */
    record Refused(LifecycleRefusal refusal) implements SepChangeResult {}

    /**
     * The caller has read another version of the document than the current one.
     *
     * @param readHash the hash that the caller gave, or its first digits
     */
    record DocumentChanged(Sep sep, String readHash) implements SepChangeResult {}

    /** The arguments are invalid. */
    record Invalid(String message) implements SepChangeResult {}

    /** There is no SEP with the number. */
    record NotFound(int number) implements SepChangeResult {}
}

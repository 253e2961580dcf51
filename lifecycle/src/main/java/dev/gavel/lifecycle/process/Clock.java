package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Something that happens when time passes in a state.
 *
 * @param in the states it runs in
 * @param start when it starts
 * @param unansweredBy it stops as soon as a bearer of this role, who is none of the proposers, does anything
 * @param steps what happens, the earliest first
 */
public record Clock(String name, Set<String> in, Start start, Optional<String> unansweredBy, List<Step> steps) {
    public Clock {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a clock that does nothing: " + name);
        }
        in = Set.copyOf(in);
        steps = steps.stream().sorted(Comparator.comparing(Step::after)).toList();
    }

    /** When a clock starts. No start but a submission or a date is before the state was entered. */
    public sealed interface Start {
        /** When the proposal was made. */
        record Submission() implements Start {}

        /** When the state was entered. */
        record Entry() implements Start {}

        /** When whoever must act last did anything. */
        record MustAct() implements Start {}

        /** When a holder of a role last did anything. */
        record Active(String role) implements Start {}

        /** When a role became vacant; while it is held the clock stands still. */
        record Vacant(String role) implements Start {}

        /** The date a piece of evidence says; without one the clock stands still. */
        record OnDate(String kind) implements Start {}
    }

    /** What happens when a clock has run for some time. */
    public sealed interface Step {
        /** How long after the clock's start. */
        Duration after();

        /** What to say of it beside the next step. */
        Optional<Text> says();

        /** Somebody is reminded: a role, or with none whoever must act. */
        record Ping(Duration after, Optional<String> whom, Optional<Text> says) implements Step {}

        /** The process moves the proposal itself, where the move's needs are met. */
        record Go(Duration after, String to, Optional<Text> says) implements Step {}

        /** A role must act too, until whoever should have acted does. */
        record Escalate(Duration after, String role, Optional<Text> says) implements Step {}
    }
}

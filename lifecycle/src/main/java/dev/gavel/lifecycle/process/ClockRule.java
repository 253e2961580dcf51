package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A timed rule of a process: reminders, automatic moves and escalations after a time in given states.
 *
 * @param states the states it runs in
 * @param start when it starts
 * @param unansweredBy it stops as soon as a bearer of this role, who is none of the proposers, does anything
 * @param steps what happens, the earliest first
 */
public record ClockRule(String name, Set<String> states, Start start, Optional<String> unansweredBy, List<Step> steps) {
    public ClockRule {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a clock that does nothing: " + name);
        }
        states = Set.copyOf(states);
        steps = steps.stream().sorted(Comparator.comparing(Step::after)).toList();
    }

    /** When a clock starts. No start but a submission or a date is before the state was entered. */
    public sealed interface Start {
        /** When the proposal was made. */
        record Submission() implements Start {}

        /** When the state was entered. */
        record StateEntry() implements Start {}

        /** When whoever must act last did anything. */
        record ActorActivity() implements Start {}

        /** When a holder of a role last did anything. */
        record HolderActivity(String role) implements Start {}

        /** When a role became vacant; while it is held the clock stands still. */
        record RoleVacancy(String role) implements Start {}

        /** The date a piece of evidence says; without one the clock stands still. */
        record EvidenceDate(String kind) implements Start {}
    }

    /** What happens when a clock has run for some time. */
    public sealed interface Step {
        /** How long after the clock's start. */
        Duration after();

        /** What to say of it beside the next step. */
        Optional<TextTemplate> message();

        /** Somebody is reminded: a role, or with none whoever must act. */
        record Ping(Duration after, Optional<String> role, Optional<TextTemplate> message) implements Step {}

        /** The process moves the proposal itself, where the move's needs are met. */
        record AutoMove(Duration after, String to, Optional<TextTemplate> message) implements Step {}

        /** A role must act too, until whoever should have acted does. */
        record Escalate(Duration after, String role, Optional<TextTemplate> message) implements Step {}
    }
}

package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A timed rule of a process: when to remind people, escalate or move a proposal automatically while it is in given
 * states.
 *
 * @param states the states in which the clock runs
 * @param start the instant from which the clock counts
 * @param stopsOnActivityOf the clock stops as soon as a person with this role who is not a proposer acts on the proposal
 * @param stopsOnEvidence the clock does not run while this evidence has been given in the state or with the move into it
 * @param steps the steps of the clock, earliest first
 */
public record ClockRule(
        String name,
        Set<String> states,
        Start start,
        Optional<String> stopsOnActivityOf,
        Optional<String> stopsOnEvidence,
        List<Step> steps) {
    public ClockRule {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a clock needs at least one step: " + name);
        }
        states = Set.copyOf(states);
        steps = steps.stream().sorted(Comparator.comparing(Step::after)).toList();
    }

    /** Returns the same clock with only the steps after a delay; empty if there are none. */
    public Optional<ClockRule> after(Duration delay) {
        List<Step> later =
                steps.stream().filter(step -> step.after().compareTo(delay) > 0).toList();
        return later.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClockRule(name, states, start, stopsOnActivityOf, stopsOnEvidence, later));
    }

    /**
     * The instant from which a clock counts. Only a submission or an evidence date can lie before the state was
     * entered.
     */
    public sealed interface Start {
        /** When the proposal was submitted. */
        record Submission() implements Start {}

        /** When the proposal entered the state. */
        record StateEntry() implements Start {}

        /** When one of those who must act was last active. */
        record ActorActivity() implements Start {}

        /** When a holder of the role was last active; while it is vacant, when one of those who can take it was. */
        record HolderActivity(String role) implements Start {}

        /** When a holder of the role was last active; the clock does not run while the role is vacant. */
        record PresentHolderActivity(String role) implements Start {}

        /** When the role became vacant; the clock does not run while the role is held. */
        record RoleVacancy(String role) implements Start {}

        /** The date given by evidence of the kind; the clock does not run without one. */
        record EvidenceDate(String kind) implements Start {}
    }

    /** A step that a clock takes after some time. */
    public sealed interface Step {
        /** The delay after the clock's start. */
        Duration after();

        /** The message of the step; reminders and escalations add the recipient's next step after it. */
        Optional<TextTemplate> message();

        /**
         * Reminds a role, or those who must act if no role is given.
         *
         * @param repeat how long after the last reminder, or the later activity of its recipient, the step reminds
         *     again; empty if it does not
         * @param choose how many people of a group it reminds; empty if it reminds all
         */
        record Ping(
                Duration after,
                Optional<String> role,
                Optional<Duration> repeat,
                OptionalInt choose,
                Optional<TextTemplate> message)
                implements Step {}

        /** Moves the proposal automatically if the requirements of the move are met. */
        record AutoMove(Duration after, String to, Optional<TextTemplate> message) implements Step {}

        /** Adds a role to those that must act, until those who should have acted do so. */
        record Escalate(Duration after, String role, Optional<TextTemplate> message) implements Step {}
    }
}

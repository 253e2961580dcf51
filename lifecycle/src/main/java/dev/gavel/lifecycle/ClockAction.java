package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * An action that a clock of the process makes due: a reminder, an automatic move or an escalation. It happens when
 * {@link LifecycleCommand.PerformClockAction} is decided.
 */
public sealed interface ClockAction {
    /** The clock's name. */
    String clock();

    /** Which of its steps: the one so long after its start. */
    Duration after();

    /** What to tell those it concerns: the exact next step. */
    String text();

    /** People to be reminded. */
    record Ping(String clock, Duration after, List<PersonOrGroup> recipients, String text) implements ClockAction {
        public Ping {
            recipients = List.copyOf(recipients);
        }
    }

    /** A move the process makes by itself. */
    record AutoMove(String clock, Duration after, String to, String text) implements ClockAction {}

    /** A role that must act too from now on. */
    record Escalation(String clock, Duration after, String role, String text) implements ClockAction {}

    /** Whether another is the same thing to do; its text may have changed with the day. */
    default boolean isSameAction(ClockAction other) {
        if (!clock().equals(other.clock()) || !after().equals(other.after())) {
            return false;
        }
        return switch (this) {
            case Ping ping ->
                other instanceof Ping theirs && Set.copyOf(ping.recipients()).equals(Set.copyOf(theirs.recipients()));
            case AutoMove autoMove ->
                other instanceof AutoMove theirs && autoMove.to().equals(theirs.to());
            case Escalation escalation ->
                other instanceof Escalation theirs && escalation.role().equals(theirs.role());
        };
    }
}

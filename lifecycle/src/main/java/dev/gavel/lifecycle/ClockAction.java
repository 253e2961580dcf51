package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * An action that a timed rule of a process makes due: a reminder, an automatic move to another state, or an escalation.
 * The engine performs it when it decides {@link LifecycleCommand.PerformClockAction}.
 */
public sealed interface ClockAction {
    /** The clock's name. */
    String clock();

    /** Identifies the step of the clock by its delay after the clock's start. */
    Duration after();

    /** The message for the recipients; it names the exact next step. */
    String text();

    /** A reminder to the recipients. */
    record Ping(String clock, Duration after, List<PersonOrGroup> recipients, String text) implements ClockAction {
        public Ping {
            recipients = List.copyOf(recipients);
        }
    }

    /** A move that the process makes automatically. */
    record AutoMove(String clock, Duration after, String to, String text) implements ClockAction {}

    /** Adds a role to those that must act. */
    record Escalation(String clock, Duration after, String role, String text) implements ClockAction {}

    /** Whether another action has the same effect; the text may differ because it depends on the date. */
    default boolean isSameAction(ClockAction other) {
        if (!clock().equals(other.clock()) || !after().equals(other.after())) {
            return false;
        }
        return switch (this) {
            case Ping ping ->
                other instanceof Ping otherAction
                        && Set.copyOf(ping.recipients()).equals(Set.copyOf(otherAction.recipients()));
            case AutoMove autoMove ->
                other instanceof AutoMove otherAction && autoMove.to().equals(otherAction.to());
            case Escalation escalation ->
                other instanceof Escalation otherAction && escalation.role().equals(otherAction.role());
        };
    }
}

package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A reminder, automatic move to another state, or escalation that is due under a timed rule of a process, or the lapse
 * of a role. The engine performs it when it decides {@link LifecycleCommand.PerformClockAction}.
 */
public sealed interface ClockAction {
    /** The clock's name; for a lapse, the name of the role. */
    String clock();

    /** Identifies the step of the clock by its delay after the clock's start. */
    Duration delay();

    /** The message for the recipients; it names the exact next step. */
    String text();

    /** A reminder to the recipients. */
    record Reminder(String clock, Duration delay, List<PersonOrGroup> recipients, String text) implements ClockAction {
        public Reminder {
            recipients = List.copyOf(recipients);
        }
    }

    /** A move that the process makes automatically. */
    record AutoMove(String clock, Duration delay, String to, String text) implements ClockAction {}

    /** Adds a role to those that must act. */
    record Escalation(String clock, Duration delay, String role, String text) implements ClockAction {}

    /** Records that a person can no longer act in a role, because the person lost the role that it requires. */
    record RoleLapse(String role, Person person, String text) implements ClockAction {
        @Override
        public String clock() {
            return role;
        }

        @Override
        public Duration delay() {
            return Duration.ZERO;
        }
    }

    /** Whether another action has the same effect; the text may differ because it depends on the date. */
    default boolean isSameAction(ClockAction other) {
        if (!clock().equals(other.clock()) || !delay().equals(other.delay())) {
            return false;
        }
        return switch (this) {
            case Reminder reminder ->
                other instanceof Reminder otherAction
                        && Set.copyOf(reminder.recipients()).equals(Set.copyOf(otherAction.recipients()));
            case RoleLapse lapse ->
                other instanceof RoleLapse otherAction && lapse.person().equals(otherAction.person());
            case AutoMove autoMove ->
                other instanceof AutoMove otherAction && autoMove.to().equals(otherAction.to());
            case Escalation escalation ->
                other instanceof Escalation otherAction && escalation.role().equals(otherAction.role());
        };
    }
}

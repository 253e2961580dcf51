package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import java.util.List;
import java.util.Map;

/**
 * A command on a specification proposal: submit, edit, move, attach, comment, ask, take a role, vote, hold, release or
 * a due action.
 */
public sealed interface LifecycleCommand {
    /** Who wants it. Their roles come from their credential, never from what they say. */
    Actor by();

    /** Begin a proposal, together with its other proposers. */
    record Submit(Actor by, List<Person> others, Map<String, String> attributes, List<Evidence> evidence)
            implements LifecycleCommand {
        public Submit {
            others = List.copyOf(others);
            attributes = Map.copyOf(attributes);
            evidence = List.copyOf(evidence);
        }
    }

    /** Change it; only attributes that change need be named. */
    record Edit(Actor by, Map<String, String> attributes) implements LifecycleCommand {
        public Edit {
            attributes = Map.copyOf(attributes);
        }
    }

    /** Move it to a state, named by its name or another word for it. */
    record MoveTo(Actor by, String to, List<Evidence> evidence) implements LifecycleCommand {
        public MoveTo {
            evidence = List.copyOf(evidence);
        }
    }

    /** Attach evidence for later moves. */
    record Attach(Actor by, List<Evidence> evidence) implements LifecycleCommand {
        public Attach {
            evidence = List.copyOf(evidence);
        }
    }

    /** Say something. */
    record Comment(Actor by, String text) implements LifecycleCommand {}

    /** Ask somebody something, who is waited on until they do anything. */
    record Ask(Actor by, Person addressee, String question) implements LifecycleCommand {}

    /** Take a role: by the move that takes it where the state has one, and else where it is vacant. */
    record TakeRole(Actor by, String role, List<Evidence> evidence) implements LifecycleCommand {
        public TakeRole {
            evidence = List.copyOf(evidence);
        }
    }

    /** Give up a role. */
    record StepDown(Actor by, String role) implements LifecycleCommand {}

    /** Hand a role on, and stay beside the new holder or not. */
    record TransferRole(Actor by, String role, Person to, boolean keepsRole) implements LifecycleCommand {}

    /** Vote. */
    record Vote(Actor by, BallotChoice ballotChoice, String reason) implements LifecycleCommand {}

    /** Put the decision on hold; the votes stay. */
    record Hold(Actor by, String reason) implements LifecycleCommand {}

    /** Take the decision up again. */
    record Release(Actor by, String reason) implements LifecycleCommand {}

    /** Do what is due. */
    record PerformClockAction(ClockAction action) implements LifecycleCommand {
        @Override
        public Actor by() {
            return Actor.system();
        }
    }
}

package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Map;

/** Something somebody wants to happen to a proposal. */
public sealed interface Command {
    /** Who wants it. Their roles come from their credential, never from what they say. */
    Actor by();

    /** Begin a proposal, together with its other proposers. */
    record Submit(Actor by, List<Person> others, Map<String, String> attributes, List<Evidence> evidence)
            implements Command {
        public Submit {
            others = List.copyOf(others);
            attributes = Map.copyOf(attributes);
            evidence = List.copyOf(evidence);
        }
    }

    /** Change it; only attributes that change need be named. */
    record Edit(Actor by, Map<String, String> attributes) implements Command {
        public Edit {
            attributes = Map.copyOf(attributes);
        }
    }

    /** Move it to a state, named by its name or another word for it. */
    record MoveTo(Actor by, String to, List<Evidence> evidence) implements Command {
        public MoveTo {
            evidence = List.copyOf(evidence);
        }
    }

    /** Attach evidence for later moves. */
    record Attach(Actor by, List<Evidence> evidence) implements Command {
        public Attach {
            evidence = List.copyOf(evidence);
        }
    }

    /** Say something. */
    record Comment(Actor by, String text) implements Command {}

    /** Ask somebody something, who is waited on until they do anything. */
    record Ask(Actor by, Person whom, String question) implements Command {}

    /** Take a role: by the move that takes it where the state has one, and else where it is vacant. */
    record Take(Actor by, String role, List<Evidence> evidence) implements Command {
        public Take {
            evidence = List.copyOf(evidence);
        }
    }

    /** Give up a role. */
    record StepDown(Actor by, String role) implements Command {}

    /** Hand a role on, and stay beside the new holder or not. */
    record Transfer(Actor by, String role, Person to, boolean stays) implements Command {}

    /** Vote. */
    record Vote(Actor by, Ballot ballot, String reason) implements Command {}

    /** Put the decision on hold; the votes stay. */
    record Hold(Actor by, String reason) implements Command {}

    /** Take the decision up again. */
    record Release(Actor by, String reason) implements Command {}

    /** Do what is due. */
    record Carry(Due due) implements Command {
        @Override
        public Actor by() {
            return Actor.system();
        }
    }
}

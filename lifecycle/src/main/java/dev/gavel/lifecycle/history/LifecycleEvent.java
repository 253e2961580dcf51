package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An event in the lifecycle of a specification proposal, such as submitted, moved, commented, voted or escalated. */
public sealed interface LifecycleEvent {
    /** When it happened. */
    Instant at();

    /** Who did it, with the roles they brought and all those imply. */
    Actor by();

    /**
     * A proposal began.
     *
     * @param role the role its proposers hold
     * @param people the proposers, the first being whose it is
     */
    record Submitted(
            Instant at, Actor by, String state, String role, List<Person> people, Map<String, String> attributes)
            implements LifecycleEvent {
        public Submitted {
            people = List.copyOf(people);
            attributes = Map.copyOf(attributes);
            if (people.isEmpty()) {
                throw new IllegalArgumentException("a proposal needs a proposer");
            }
        }
    }

    /** Its text changed; attributes that changed are named. */
    record Edited(Instant at, Actor by, Map<String, String> attributes) implements LifecycleEvent {
        public Edited {
            attributes = Map.copyOf(attributes);
        }
    }

    /** It went from a state to another, with the evidence that came with the move. */
    record Moved(Instant at, Actor by, String from, String to, List<Evidence> evidence) implements LifecycleEvent {
        public Moved {
            evidence = List.copyOf(evidence);
        }
    }

    /** Evidence was attached. */
    record EvidenceAttached(Instant at, Actor by, List<Evidence> evidence) implements LifecycleEvent {
        public EvidenceAttached {
            evidence = List.copyOf(evidence);
        }
    }

    /** Somebody holds a role now. */
    record RoleTaken(Instant at, Actor by, String role, Person person) implements LifecycleEvent {}

    /** Somebody holds a role no longer. */
    record RoleLeft(Instant at, Actor by, String role, Person person) implements LifecycleEvent {}

    /** A role went from one person to another, who stands where the first stood; the first may stay beside them. */
    record RoleTransferred(Instant at, Actor by, String role, Person from, Person to, boolean keepsRole)
            implements LifecycleEvent {}

    /** Somebody said something. */
    record Commented(Instant at, Actor by, String text) implements LifecycleEvent {}

    /** Somebody was asked something. */
    record QuestionAsked(Instant at, Actor by, Person addressee, String question) implements LifecycleEvent {}

    /** Somebody voted. */
    record Voted(Instant at, Actor by, BallotChoice ballotChoice, String reason) implements LifecycleEvent {}

    /** The decision was put on hold. */
    record DecisionHeld(Instant at, Actor by, String reason) implements LifecycleEvent {}

    /** The decision was taken up again. */
    record DecisionReleased(Instant at, Actor by, String reason) implements LifecycleEvent {}

    /** A clock's step reminded people. */
    record Pinged(Instant at, Actor by, String clock, Duration after, List<PersonOrGroup> recipients, String text)
            implements LifecycleEvent {
        public Pinged {
            recipients = List.copyOf(recipients);
        }
    }

    /** A clock's step made a role act too. */
    record Escalated(Instant at, Actor by, String clock, Duration after, String role, String text)
            implements LifecycleEvent {}
}

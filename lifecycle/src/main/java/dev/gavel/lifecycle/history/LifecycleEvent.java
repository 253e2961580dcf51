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
    Instant at();

    /** The actor who caused the event, with the roles from the credential and all roles that those imply. */
    Actor by();

    /**
     * The proposal was submitted.
     *
     * @param role the role that the proposers hold
     * @param people the proposers, the main one first
     * @param submittedAt when the proposal was submitted; earlier than {@code at} if it was submitted elsewhere and
     *     imported
     */
    record Submitted(
            Instant at,
            Actor by,
            String state,
            String role,
            List<Person> people,
            Map<String, String> attributes,
            Instant submittedAt)
            implements LifecycleEvent {
        public Submitted(
                Instant at, Actor by, String state, String role, List<Person> people, Map<String, String> attributes) {
            this(at, by, state, role, people, attributes, at);
        }

        public Submitted {
            people = List.copyOf(people);
            attributes = Map.copyOf(attributes);
            if (people.isEmpty()) {
                throw new IllegalArgumentException("a proposal needs a proposer");
            }
        }
    }

    /**
     * The text changed; holds the attributes that changed.
     *
     * @param editorial whether the meaning stayed the same, so that votes on the text stay valid
     */
    record Edited(Instant at, Actor by, Map<String, String> attributes, boolean editorial) implements LifecycleEvent {
        public Edited {
            attributes = Map.copyOf(attributes);
        }
    }

    /** The proposal moved to another state, with the evidence that came with the move. */
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

    /**
     * A person confirmed evidence that another person gave.
     *
     * @param value the confirmed value
     */
    record EvidenceConfirmed(Instant at, Actor by, String kind, Person givenBy, String value)
            implements LifecycleEvent {}

    /** A person took a role. */
    record RoleTaken(Instant at, Actor by, String role, Person person) implements LifecycleEvent {}

    /** A person no longer holds a role. */
    record RoleLeft(Instant at, Actor by, String role, Person person) implements LifecycleEvent {}

    /**
     * A person who holds a role can no longer act in it, because the person lost the role that it requires. The person
     * can act in it again after regaining that role.
     */
    record RoleLapsed(Instant at, Actor by, String role, Person person) implements LifecycleEvent {}

    /**
     * A role was transferred to another person, who takes the first holder's position in the order; the first holder
     * may stay a holder.
     */
    record RoleTransferred(Instant at, Actor by, String role, Person from, Person to, boolean keepsRole)
            implements LifecycleEvent {}

    /** The actor commented. */
    record Commented(Instant at, Actor by, String text) implements LifecycleEvent {}

    /** The actor asked a person a question. */
    record QuestionAsked(Instant at, Actor by, Person addressee, String question) implements LifecycleEvent {}

    /** The actor cast a ballot. */
    record Voted(Instant at, Actor by, BallotChoice ballotChoice, String reason) implements LifecycleEvent {}

    /** The decision was put on hold. */
    record DecisionHeld(Instant at, Actor by, String reason) implements LifecycleEvent {}

    /** The hold of the decision ended. */
    record DecisionReleased(Instant at, Actor by, String reason) implements LifecycleEvent {}

    /** A step of a clock sent a reminder. */
    record Pinged(Instant at, Actor by, String clock, Duration after, List<PersonOrGroup> recipients, String text)
            implements LifecycleEvent {
        public Pinged {
            recipients = List.copyOf(recipients);
        }
    }

    /** A step of a clock added a role to those that must act. */
    record Escalated(Instant at, Actor by, String clock, Duration after, String role, String text)
            implements LifecycleEvent {}
}

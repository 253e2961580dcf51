package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Something that happened to a proposal. */
public sealed interface Event {
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
            implements Event {
        public Submitted {
            people = List.copyOf(people);
            attributes = Map.copyOf(attributes);
            if (people.isEmpty()) {
                throw new IllegalArgumentException("a proposal needs a proposer");
            }
        }
    }

    /** Its text changed; attributes that changed are named. */
    record Edited(Instant at, Actor by, Map<String, String> attributes) implements Event {
        public Edited {
            attributes = Map.copyOf(attributes);
        }
    }

    /** It went from a state to another, with the evidence that came with the move. */
    record Moved(Instant at, Actor by, String from, String to, List<Evidence> evidence) implements Event {
        public Moved {
            evidence = List.copyOf(evidence);
        }
    }

    /** Evidence was attached. */
    record Attached(Instant at, Actor by, List<Evidence> evidence) implements Event {
        public Attached {
            evidence = List.copyOf(evidence);
        }
    }

    /** Somebody holds a role now. */
    record RoleTaken(Instant at, Actor by, String role, Person person) implements Event {}

    /** Somebody holds a role no longer. */
    record RoleLeft(Instant at, Actor by, String role, Person person) implements Event {}

    /** A role went from one person to another, who stands where the first stood; the first may stay beside them. */
    record Transferred(Instant at, Actor by, String role, Person from, Person to, boolean stays) implements Event {}

    /** Somebody said something. */
    record Commented(Instant at, Actor by, String text) implements Event {}

    /** Somebody was asked something. */
    record Asked(Instant at, Actor by, Person whom, String question) implements Event {}

    /** Somebody voted. */
    record Voted(Instant at, Actor by, Ballot ballot, String reason) implements Event {}

    /** The decision was put on hold. */
    record Held(Instant at, Actor by, String reason) implements Event {}

    /** The decision was taken up again. */
    record Released(Instant at, Actor by, String reason) implements Event {}

    /** A clock's step reminded people. */
    record Pinged(Instant at, Actor by, String clock, Duration after, List<Party> whom, String text) implements Event {
        public Pinged {
            whom = List.copyOf(whom);
        }
    }

    /** A clock's step made a role act too. */
    record Escalated(Instant at, Actor by, String clock, Duration after, String role, String text) implements Event {}
}

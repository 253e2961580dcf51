package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A command on a specification proposal, such as submitting it, moving it to another state, taking a role or voting.
 */
public sealed interface LifecycleCommand {
    /**
     * The actor who gives the command. The actor's roles come from the credential, never from the command's content.
     */
    Actor actor();

    /** Submits a proposal, together with its other proposers. */
    record Submit(Actor actor, List<Person> otherProposers, Map<String, String> attributes, List<Evidence> evidence)
            implements LifecycleCommand {
        public Submit {
            otherProposers = List.copyOf(otherProposers);
            attributes = Map.copyOf(attributes);
            evidence = List.copyOf(evidence);
        }
    }

    /**
     * Edits the proposal; names only the attributes that change. An edit that names no changed part is substantive.
     *
     * @param changedSections the slugs of the sections whose text changes, such as {@code reference-implementation}
     * @param changedFields the names of the fields that change, in lower case, such as {@code status}
     * @param declaredEditorial whether the actor declares that the edit does not change the meaning
     */
    record Edit(
            Actor actor,
            Map<String, String> attributes,
            Set<String> changedSections,
            Set<String> changedFields,
            boolean declaredEditorial)
            implements LifecycleCommand {
        public Edit {
            attributes = Map.copyOf(attributes);
            changedSections = Set.copyOf(changedSections);
            changedFields = Set.copyOf(changedFields);
        }
    }

    /** Moves the proposal to a state, given by its name or an alias. */
    record MoveTo(Actor actor, String to, List<Evidence> evidence) implements LifecycleCommand {
        public MoveTo {
            evidence = List.copyOf(evidence);
        }
    }

    /** Attaches evidence for later moves. */
    record Attach(Actor actor, List<Evidence> evidence) implements LifecycleCommand {
        public Attach {
            evidence = List.copyOf(evidence);
        }
    }

    /**
     * Confirms evidence that another person gave and that counts only with a confirmation.
     *
     * @param value the value that the actor confirms; if it is given and another value replaced it in the meantime, the
     *     confirmation is refused
     */
    record Confirm(Actor actor, String kind, Optional<String> value) implements LifecycleCommand {}

    /** Comments on the proposal. */
    record Comment(Actor actor, String text) implements LifecycleCommand {}

    /** Asks a person a question; the proposal waits on that person until they act on it in any way. */
    record Ask(Actor actor, Person addressee, String question) implements LifecycleCommand {}

    /**
     * Takes a role: through the move that takes it if the state has one; otherwise directly, if the role is vacant or
     * allows several holders.
     */
    record TakeRole(Actor actor, String role, List<Evidence> evidence) implements LifecycleCommand {
        public TakeRole {
            evidence = List.copyOf(evidence);
        }
    }

    /** Gives up a role. */
    record StepDown(Actor actor, String role) implements LifecycleCommand {}

    /** Transfers a role to another person; the actor may stay a holder too. */
    record TransferRole(Actor actor, String role, Person to, boolean keepsRole) implements LifecycleCommand {}

    /** Casts a ballot. */
    record Vote(Actor actor, BallotChoice ballotChoice, String reason) implements LifecycleCommand {}

    /** Puts the decision on hold; the ballots stay valid. */
    record Hold(Actor actor, String reason) implements LifecycleCommand {}

    /** Ends the hold of the decision. */
    record Release(Actor actor, String reason) implements LifecycleCommand {}

    /** Performs a due clock action. */
    record PerformClockAction(ClockAction action) implements LifecycleCommand {
        @Override
        public Actor actor() {
            return Actor.system();
        }
    }
}

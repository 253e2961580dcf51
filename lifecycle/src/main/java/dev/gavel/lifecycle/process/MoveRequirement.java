package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A condition for a move to another state, such as given evidence, a date reached, or a role without a holder. */
public sealed interface MoveRequirement {
    /** The kinds of evidence that meet this requirement or one of its alternatives. */
    default Stream<String> evidenceKinds() {
        return switch (this) {
            case EvidenceGiven given -> Stream.of(given.kind());
            case EvidenceInState evidenceInState -> Stream.of(evidenceInState.kind());
            case AnyOf anyOf -> anyOf.choices().stream().flatMap(MoveRequirement::evidenceKinds);
            case ForAttribute forAttribute -> forAttribute.requirement().evidenceKinds();
            case WithDescription withDescription ->
                withDescription.requirement().evidenceKinds();
            case FactHolds _, DateReached _, RoleVacant _, RoleIdle _ -> Stream.empty();
        };
    }

    /** Valid evidence of a kind is attached, or comes with the move. */
    record EvidenceGiven(String kind) implements MoveRequirement {}

    /**
     * Evidence of a kind was attached in this state, or comes with the move; earlier evidence does not count.
     *
     * @param withMove whether the evidence must come with the move itself, and so from the actor who makes it
     */
    record EvidenceInState(String kind, boolean withMove) implements MoveRequirement {}

    /** A fact that only the caller can know holds. */
    record FactHolds(String name) implements MoveRequirement {}

    /** The date given by evidence of a kind has been reached. */
    record DateReached(String kind) implements MoveRequirement {}

    /** A role has been vacant for a duration, counted from when the state was entered if that is later. */
    record RoleVacant(String role, Duration duration) implements MoveRequirement {}

    /** No holder of a role has been active for a duration. */
    record RoleIdle(String role, Duration duration) implements MoveRequirement {}

    /** At least one of several requirements is met. */
    record AnyOf(List<MoveRequirement> choices) implements MoveRequirement {
        public AnyOf {
            choices = List.copyOf(choices);
            if (choices.isEmpty()) {
                throw new IllegalArgumentException("a choice needs at least one requirement");
            }
        }
    }

    /** Another requirement under its own description. */
    record WithDescription(String description, MoveRequirement requirement) implements MoveRequirement {
        public WithDescription {
            if (description.isBlank()) {
                throw new IllegalArgumentException("a requirement needs a description");
            }
        }
    }

    /** A requirement that applies only to proposals whose attribute has one of these values. */
    record ForAttribute(String attribute, Set<String> values, MoveRequirement requirement) implements MoveRequirement {
        public ForAttribute {
            values = Set.copyOf(values);
        }
    }
}

package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Defines a requirement of a move: evidence, a fact, a date reached, a vacant or idle role, or a combination. */
public sealed interface MoveRequirement {
    /** The kinds of evidence that would meet it, or one of its choices. */
    default Stream<String> evidenceKinds() {
        return switch (this) {
            case EvidenceGiven given -> Stream.of(given.kind());
            case EvidenceInState evidenceInState -> Stream.of(evidenceInState.kind());
            case AnyOf anyOf -> anyOf.choices().stream().flatMap(MoveRequirement::evidenceKinds);
            case ForAttribute forAttribute -> forAttribute.requirement().evidenceKinds();
            case Described described -> described.requirement().evidenceKinds();
            case FactHolds _, DateReached _, RoleVacant _, RoleIdle _ -> Stream.empty();
        };
    }

    /** Evidence of a kind is there, or comes with the move. */
    record EvidenceGiven(String kind) implements MoveRequirement {}

    /**
     * Evidence of a kind was given in this state, or comes with the move; an earlier one does not count.
     *
     * @param withMove whether it must come with the move itself, and so from whoever makes it
     */
    record EvidenceInState(String kind, boolean withMove) implements MoveRequirement {}

    /** A fact only the caller can know holds. */
    record FactHolds(String name) implements MoveRequirement {}

    /** The date of a piece of evidence has come. */
    record DateReached(String kind) implements MoveRequirement {}

    /** Nobody has held a role for so long, counted from the state's beginning where that is later. */
    record RoleVacant(String role, Duration duration) implements MoveRequirement {}

    /** No holder of a role has done anything for so long. */
    record RoleIdle(String role, Duration duration) implements MoveRequirement {}

    /** Any one of several. */
    record AnyOf(List<MoveRequirement> choices) implements MoveRequirement {
        public AnyOf {
            choices = List.copyOf(choices);
            if (choices.isEmpty()) {
                throw new IllegalArgumentException("any of nothing can never be met");
            }
        }
    }

    /** The same as another need, called otherwise. */
    record Described(String description, MoveRequirement requirement) implements MoveRequirement {
        public Described {
            if (description.isBlank()) {
                throw new IllegalArgumentException("a need is called something");
            }
        }
    }

    /** Needed only of proposals whose attribute has one of these values. */
    record ForAttribute(String attribute, Set<String> values, MoveRequirement requirement) implements MoveRequirement {
        public ForAttribute {
            values = Set.copyOf(values);
        }
    }
}

package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Something that must be so for a move to be made. */
public sealed interface Need {
    /** The kinds of evidence that would meet it, or one of its choices. */
    default Stream<String> kinds() {
        return switch (this) {
            case Given given -> Stream.of(given.kind());
            case Here here -> Stream.of(here.kind());
            case Any any -> any.choices().stream().flatMap(Need::kinds);
            case When when -> when.need().kinds();
            case Said said -> said.need().kinds();
            case Fact _, Reached _, Vacant _, Idle _ -> Stream.empty();
        };
    }

    /** Evidence of a kind is there, or comes with the move. */
    record Given(String kind) implements Need {}

    /**
     * Evidence of a kind was given in this state, or comes with the move; an earlier one does not count.
     *
     * @param withMove whether it must come with the move itself, and so from whoever makes it
     */
    record Here(String kind, boolean withMove) implements Need {}

    /** A fact only the caller can know holds. */
    record Fact(String name) implements Need {}

    /** The date of a piece of evidence has come. */
    record Reached(String kind) implements Need {}

    /** Nobody has held a role for so long, counted from the state's beginning where that is later. */
    record Vacant(String role, Duration span) implements Need {}

    /** No holder of a role has done anything for so long. */
    record Idle(String role, Duration span) implements Need {}

    /** Any one of several. */
    record Any(List<Need> choices) implements Need {
        public Any {
            choices = List.copyOf(choices);
            if (choices.isEmpty()) {
                throw new IllegalArgumentException("any of nothing can never be met");
            }
        }
    }

    /** The same as another need, called otherwise. */
    record Said(String says, Need need) implements Need {
        public Said {
            if (says.isBlank()) {
                throw new IllegalArgumentException("a need is called something");
            }
        }
    }

    /** Needed only of proposals whose attribute has one of these values. */
    record When(String attribute, Set<String> values, Need need) implements Need {
        public When {
            values = Set.copyOf(values);
        }
    }
}

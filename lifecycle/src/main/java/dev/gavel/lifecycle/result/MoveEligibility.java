package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.util.List;
import java.util.Optional;

/**
 * Describes one possible move of a specification proposal: who may make it, what it still requires and what blocks it.
 *
 * @param to the state it leads to
 * @param whoMay who may make it now
 * @param whoMayText the same in words
 * @param readerMay whether the reader is one of them
 * @param requirementStatuses all it needs, ticked or not
 * @param blocked why it cannot be made whatever is there
 */
public record MoveEligibility(
        String to,
        List<PersonOrGroup> whoMay,
        String whoMayText,
        boolean readerMay,
        List<RequirementStatus> requirementStatuses,
        Optional<String> blocked) {
    public MoveEligibility {
        whoMay = List.copyOf(whoMay);
        requirementStatuses = List.copyOf(requirementStatuses);
    }

    /** A move that cannot be made at all. */
    public static MoveEligibility blocked(String to, String why) {
        return new MoveEligibility(to, List.of(), "nobody", false, List.of(), Optional.of(why));
    }

    /** What is still needed. */
    public List<RequirementStatus> unmetRequirements() {
        return requirementStatuses.stream()
                .filter(requirementStatus -> !requirementStatus.met())
                .toList();
    }

    /** Whether the reader could make it now. */
    public boolean isPossible() {
        return readerMay && blocked.isEmpty() && unmetRequirements().isEmpty();
    }

    /** The whole of it in a sentence or two. */
    public String explanation() {
        if (blocked.isPresent()) {
            return blocked.get();
        }
        StringBuilder text = new StringBuilder();
        if (!readerMay) {
            text.append("Only ")
                    .append(whoMayText)
                    .append(" may move it to ")
                    .append(to)
                    .append(". ");
        }
        if (!unmetRequirements().isEmpty()) {
            text.append("To ").append(to).append(" it still needs: ");
            text.append(String.join(
                    "; ",
                    unmetRequirements().stream()
                            .map(need -> need.description() + " (" + need.detail() + ")")
                            .toList()));
            text.append(".");
        }
        return text.isEmpty()
                ? "You may move it to " + to + " now."
                : text.toString().strip();
    }
}

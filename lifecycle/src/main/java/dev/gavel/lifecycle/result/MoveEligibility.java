package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.util.List;
import java.util.Optional;

/**
 * Describes one possible move of a proposal: who may make it, what it still requires and what blocks it.
 *
 * @param to the target state
 * @param allowedParties who may make the move now
 * @param whoMayText {@code allowedParties} as text for people
 * @param actorMay whether the reader may make it
 * @param requirementStatuses all requirements, met or not
 * @param blockReason why the move is impossible regardless of requirements
 */
public record MoveEligibility(
        String to,
        List<PersonOrGroup> allowedParties,
        String whoMayText,
        boolean actorMay,
        List<RequirementStatus> requirementStatuses,
        Optional<String> blockReason) {
    public MoveEligibility {
        allowedParties = List.copyOf(allowedParties);
        requirementStatuses = List.copyOf(requirementStatuses);
    }

    /** Returns the description of a move that is impossible. */
    public static MoveEligibility blocked(String to, String reason) {
        return new MoveEligibility(to, List.of(), "no one", false, List.of(), Optional.of(reason));
    }

    /** The requirements that are not met. */
    public List<RequirementStatus> unmetRequirements() {
        return requirementStatuses.stream()
                .filter(requirementStatus -> !requirementStatus.met())
                .toList();
    }

    /** Whether the reader can make the move now. */
    public boolean isPossible() {
        return actorMay && blockReason.isEmpty() && unmetRequirements().isEmpty();
    }

    /** Explains in one or two sentences whether the reader can make the move. */
    public String explanation() {
        if (blockReason.isPresent()) {
            return blockReason.get();
        }
        String problems = problems();
        if (!actorMay) {
            return "Only " + whoMayText + " can move this proposal to `" + to + "`."
                    + (problems.isEmpty() ? "" : " Also, " + problems + ".");
        }
        return problems.isEmpty()
                ? "You can move this proposal to `" + to + "` now."
                : "Cannot move to `" + to + "`: " + problems + ".";
    }

    /** Explains why the reader cannot submit a document, if this is the move to the first state. */
    public String submissionRefusal() {
        return actorMay && blockReason.isEmpty() ? "Cannot submit the document: " + problems() + "." : explanation();
    }

    private String problems() {
        return String.join(
                "; ",
                unmetRequirements().stream().map(RequirementStatus::problem).toList());
    }
}

package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.util.List;

/**
 * Why a lifecycle command was refused: a code, a message, who may do it instead and which requirements are unmet.
 *
 * @param code a stable word for programs, such as {@code not-allowed}
 * @param message the whole of it in a sentence or two for people
 * @param whoMay who could have done it; empty where that is not the point
 * @param unmetRequirements what is still needed, with what would be accepted for it
 */
public record LifecycleRefusal(
        String code, String message, List<PersonOrGroup> whoMay, List<RequirementStatus> unmetRequirements) {
    public LifecycleRefusal {
        if (code.isBlank() || message.isBlank()) {
            throw new IllegalArgumentException("a refusal says why");
        }
        whoMay = List.copyOf(whoMay);
        unmetRequirements = List.copyOf(unmetRequirements);
    }

    /** A refusal where neither the person nor anything missing is the point. */
    public static LifecycleRefusal of(String code, String message) {
        return new LifecycleRefusal(code, message, List.of(), List.of());
    }
}

package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.util.List;

/**
 * Why a lifecycle command was refused: a code, a message, who may give the command instead, and the unmet requirements.
 *
 * @param code a stable code for programs, such as {@code not-allowed}
 * @param message the complete reason for people, in one or two sentences
 * @param whoMay who may give the command instead; empty if permission is not the reason
 * @param unmetRequirements the unmet requirements, each with what is accepted for it
 */
public record LifecycleRefusal(
        String code, String message, List<PersonOrGroup> whoMay, List<RequirementStatus> unmetRequirements) {
    public LifecycleRefusal {
        if (code.isBlank() || message.isBlank()) {
            throw new IllegalArgumentException("a refusal needs a code and a message");
        }
        whoMay = List.copyOf(whoMay);
        unmetRequirements = List.copyOf(unmetRequirements);
    }

    /** Returns a refusal whose reason is neither permission nor an unmet requirement. */
    public static LifecycleRefusal of(String code, String message) {
        return new LifecycleRefusal(code, message, List.of(), List.of());
    }
}

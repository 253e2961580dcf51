package dev.gavel.lifecycle.result;

import java.util.List;

/**
 * Whether one requirement of a move to another state is met, and how, or which kinds of evidence would meet it.
 *
 * @param description the requirement, for people: a noun phrase such as "a link to working code"
 * @param detail how the requirement is met, or what is accepted for it
 * @param evidenceKinds the kinds of evidence of which any one meets it; empty if evidence cannot meet it
 * @param problem why the requirement is not met, as a clause such as "the title is missing"; empty if it is met
 */
public record RequirementStatus(
        String description, boolean met, String detail, List<String> evidenceKinds, String problem) {
    public RequirementStatus {
        evidenceKinds = List.copyOf(evidenceKinds);
    }
}

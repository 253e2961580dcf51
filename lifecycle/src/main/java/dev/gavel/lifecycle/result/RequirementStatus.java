package dev.gavel.lifecycle.result;

import java.util.List;

/**
 * One requirement of a move and whether it is met, with the evidence that meets it or would meet it.
 *
 * @param description what it is
 * @param detail what would be accepted for it; how it was met where it is met
 * @param evidenceKinds the kinds of evidence any one of which would do; empty where no evidence can help
 */
public record RequirementStatus(String description, boolean met, String detail, List<String> evidenceKinds) {
    public RequirementStatus {
        evidenceKinds = List.copyOf(evidenceKinds);
    }
}

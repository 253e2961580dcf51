package dev.gavel.lifecycle.result;

import java.util.List;

/**
 * Something a move needs, ticked or not.
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

package dev.gavel.faults.cluster;

import java.util.List;

/**
 * A guarantee that a test run violated, with the ledger events and journal lines about it.
 *
 * @param evidence the lines of the ledger and the journals about it, for people
 */
public record GuaranteeViolation(String description, List<String> evidence) {
    public GuaranteeViolation {
        evidence = List.copyOf(evidence);
    }

    @Override
    public String toString() {
        return evidence.isEmpty() ? description : description + "\n    " + String.join("\n    ", evidence);
    }
}

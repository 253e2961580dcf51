package dev.gavel.faults.chaos;

import java.util.List;

/**
 * A guarantee that a chaos run violated, with the ledger events and journal lines about it.
 *
 * @param evidence the lines of the ledger and the journals about it, for people
 */
record GuaranteeViolation(String description, List<String> evidence) {
    GuaranteeViolation {
        evidence = List.copyOf(evidence);
    }

    @Override
    public String toString() {
        return evidence.isEmpty() ? description : description + "\n    " + String.join("\n    ", evidence);
    }
}

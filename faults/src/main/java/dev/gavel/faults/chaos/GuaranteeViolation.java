package dev.gavel.faults.chaos;

import java.util.List;

/**
 * A guarantee that a chaos run violated, with the ledger events and journal lines about it.
 *
 * @param evidence what the ledger and the participants have about it, for people to read
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

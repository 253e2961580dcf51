package dev.gavel.faults.chaos;

import java.util.List;

/**
 * Something that was promised and is not so.
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

package dev.gavel.bench.chaos;

import java.util.List;

/**
 * Something that was promised and is not so.
 *
 * @param evidence what the ledger and the participants have about it, for people to read
 */
record Violation(String what, List<String> evidence) {
    Violation {
        evidence = List.copyOf(evidence);
    }

    @Override
    public String toString() {
        return evidence.isEmpty() ? what : what + "\n    " + String.join("\n    ", evidence);
    }
}

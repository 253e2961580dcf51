package dev.gavel.bench.reliability;

/**
 * An event of the ledger, as {@code gavel ledger export} shows it.
 *
 * @param envelope the id of the envelope that caused it; empty where none did
 */
record Logged(String topic, long seq, String proposal, String type, String envelope) {
    static Logged of(String line) {
        int body = line.indexOf(",\"body\":");
        Heard head = new Heard(line.substring(0, body) + "}");
        return new Logged(
                head.field("topic"),
                head.number("seq"),
                head.field("proposal"),
                head.field("type"),
                head.field("envelope"));
    }
}

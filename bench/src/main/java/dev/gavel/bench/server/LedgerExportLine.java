package dev.gavel.bench.server;

import dev.gavel.bench.client.ReceivedEnvelope;

/**
 * An event of the ledger, parsed from a line of {@code gavel ledger export}, for the benchmarks and fault tests.
 *
 * @param envelope the id of the envelope that caused it; empty if none did
 */
public record LedgerExportLine(String topic, long seq, String proposal, String type, String envelope) {
    public static LedgerExportLine parse(String line) {
        int body = line.indexOf(",\"body\":");
        ReceivedEnvelope head = new ReceivedEnvelope(line.substring(0, body) + "}");
        return new LedgerExportLine(
                head.textField("topic"),
                head.numberField("seq"),
                head.textField("proposal"),
                head.textField("type"),
                head.textField("envelope"));
    }
}

package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import java.time.Instant;
import java.util.List;

/**
 * An admitted envelope as input to the proposal rules: the envelope, the ids of its sender and recipients, and its time
 * of receipt.
 *
 * @param from its authenticated sender
 * @param to the members that its {@code to} resolves to, including {@code can:} entries; empty for a broadcast
 * @param receivedAt when the gateway received it
 */
public record AdmittedEnvelope(Envelope envelope, String from, List<String> to, Instant receivedAt) {
    public AdmittedEnvelope {
        to = List.copyOf(to);
    }
}

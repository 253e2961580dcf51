package dev.gavel.mcpx.proposal;

import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the envelopes of a proposal's life: the proposal, the request that approves it, and its rejection, withdrawal
 * or reports. Stateless.
 */
public final class ProposalEnvelopeFactory {
    private ProposalEnvelopeFactory() {}

    /** Builds the proposal of a tool call. */
    public static byte[] proposal(String id, String tool, Json arguments, List<String> to, Optional<Duration> ttl) {
        Json params = Json.object().with("name", Json.ofText(tool)).with("arguments", arguments);
        return proposal(id, new Kind("mcp", "proposal", "tools/call", tool), params, to, ttl);
    }

    /**
     * Builds the proposal of any call.
     *
     * @param kind the kind of the proposal, with the method of the call
     */
    public static byte[] proposal(String id, Kind kind, Json params, List<String> to, Optional<Duration> ttl) {
        return EnvelopeDraft.of(id, kind).withRecipients(to).encode(EnvelopeSyntax.CURRENT, json -> {
            json.writeStartObject();
            json.writeStringProperty("method", kind.method());
            json.writeName("params");
            json.writeRawValue(params.raw());
            ttl.ifPresent(time -> json.writeNumberProperty("ttl", time.toSeconds()));
            json.writeEndObject();
        });
    }

    /**
     * Builds the request that fulfils a proposal, with the same method and context.
     *
     * @param kind the kind of the proposal
     * @param params the parameters of the call; missing if it has none
     */
    public static byte[] fulfilment(String id, String proposal, Kind kind, Json params, List<String> to) {
        return fulfilment(id, proposal, kind, params, to, ApprovalOptions.DEFAULT);
    }

    /**
     * Builds the request that fulfils a proposal, with the reviewer's options.
     *
     * @param kind the kind of the proposal
     * @param params the parameters of the call; missing if it has none
     */
    public static byte[] fulfilment(
            String id, String proposal, Kind kind, Json params, List<String> to, ApprovalOptions options) {
        return EnvelopeDraft.of(id, kind.withOperation("request"))
                .withRecipients(to)
                .withCorrelationIds(List.of(proposal))
                .withApproval(options.definitionDigests(), options.unchecked())
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("id", id);
                    json.writeStringProperty("method", kind.method());
                    if (params.isPresent()) {
                        json.writeName("params");
                        json.writeRawValue(params.raw());
                    }
                    json.writeEndObject();
                });
    }

    /**
     * Builds an envelope that rejects, withdraws or reports on proposals.
     *
     * @param operation {@code reject}, {@code withdraw} or {@code status}
     */
    public static byte[] proposalUpdate(
            String id, String operation, List<String> proposals, Map<String, String> payload) {
        return EnvelopeDraft.of(id, new Kind("mcpx", operation, "proposal", null))
                .withCorrelationIds(proposals)
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    payload.forEach(json::writeStringProperty);
                    json.writeEndObject();
                });
    }
}

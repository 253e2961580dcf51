package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the envelopes and payloads that carry an MCP client's call into the topic, as a request or as a proposal.
 * Stateless.
 */
final class CallEnvelopeFactory {
    private CallEnvelopeFactory() {}

    /**
     * Returns the payload of a request that makes a call. It includes the client's capabilities, because the client
     * would supply the input that the server requests.
     *
     * @param clientRequest null if no client waits for the response
     */
    static RawPayload requestPayload(
            String id, CallTarget target, String params, @Nullable InFlightClientRequest clientRequest) {
        String serverParams = withServerName(McpMetaFields.forwardableParams(params, true), target);
        String finalParams = clientRequest == null ? serverParams : withProgressToken(serverParams, clientRequest, id);
        return payload("{\"jsonrpc\":\"2.0\",\"id\":" + Json.ofText(id).raw() + ",\"method\":"
                + Json.ofText(target.method()).raw() + ",\"params\":" + finalParams + "}");
    }

    /**
     * Returns the payload of a proposal for a call. The call is run as the reviewers approved it, so the client's
     * capabilities are left out and the server cannot request more input.
     */
    static RawPayload proposalPayload(
            String id, CallTarget target, String params, InFlightClientRequest clientRequest) {
        String serverParams = withServerName(McpMetaFields.forwardableParams(params, false), target);
        String finalParams = clientRequest.acceptsTask(target.method())
                ? withoutProgressToken(serverParams)
                : withProgressToken(serverParams, clientRequest, id);
        return payload("{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + finalParams + "}");
    }

    static byte[] encodeEnvelope(String id, Kind kind, CallTarget target, RawPayload payload) {
        return EnvelopeDraft.of(id, kind)
                .withRecipients(List.of(target.participant()))
                .encode(EnvelopeSyntax.CURRENT, payload);
    }

    private static RawPayload payload(String json) {
        return RawPayload.of(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Replaces the display name by the server's own name for the tool or prompt. */
    private static String withServerName(String params, CallTarget target) {
        return target.name() == null || target.method().startsWith("resources/")
                ? params
                : RawJsonEditor.replace(params, Json.ofText(target.name()).raw(), "name")
                        .orElse(params);
    }

    /** Whether a call carries input that the server has requested before. */
    static boolean hasInputResponses(String params) {
        return RawJsonEditor.at(params, "inputResponses").isPresent()
                || RawJsonEditor.at(params, "requestState").isPresent();
    }

    /**
     * Removes the client's progress token: no client can receive progress, and the token may collide with that of
     * another client.
     */
    private static String withoutProgressToken(String params) {
        Optional<String> meta = RawJsonEditor.at(params, McpMetaFields.META).filter(raw -> raw.startsWith("{"));
        if (meta.isEmpty()) {
            return params;
        }
        String rest = RawJsonEditor.without(meta.get(), "progressToken");
        return rest.equals("{}")
                ? RawJsonEditor.without(params, McpMetaFields.META)
                : RawJsonEditor.with(params, rest, McpMetaFields.META);
    }

    /** Replaces the client's progress token by the envelope id. */
    private static String withProgressToken(String params, InFlightClientRequest clientRequest, String id) {
        return clientRequest.progress() == null
                ? withoutProgressToken(params)
                : RawJsonEditor.replace(params, Json.ofText(id).raw(), McpMetaFields.META, "progressToken")
                        .orElse(params);
    }
}

package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.trace.ProposalTraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An MCP request that a participant sent to a bridge in an envelope, with factory methods for its response envelopes.
 * Immutable.
 *
 * @param envelopeId the id of the envelope that carries the request
 * @param from the requester
 * @param kind the effective kind, with its context even if the envelope omits it
 * @param id the payload's own id, as raw JSON
 * @param params as raw JSON
 * @param proposal the proposal that the request fulfils, if any
 * @param definitionDigests the digests of the tool definitions that the request was approved for; empty if it names none
 * @param envelopeLength the length of the envelope in bytes
 */
public record TopicRequest(
        String envelopeId,
        String from,
        Kind kind,
        String id,
        Optional<String> params,
        Optional<String> proposal,
        List<String> definitionDigests,
        int envelopeLength) {
    /** Reads a request from its envelope. */
    public static TopicRequest of(Envelope envelope) {
        String payload = envelope.payload().toString();
        return new TopicRequest(
                envelope.id(),
                String.valueOf(envelope.from()),
                envelope.kindWithContext(),
                // A payload without an id is answered under the envelope's id.
                RawJsonEditor.at(payload, "id")
                        .orElseGet(() -> Json.ofText(envelope.id()).raw()),
                RawJsonEditor.at(payload, "params"),
                envelope.correlationIds().stream().findFirst(),
                envelope.definitionDigests(),
                envelope.length());
    }

    /** Whether another request has the same envelope id and sender, so that their answers cannot be told apart. */
    boolean hasSameId(TopicRequest other) {
        return envelopeId.equals(other.envelopeId) && from.equals(other.from);
    }

    /** Whether another request is this one, delivered again. */
    boolean isSameRequest(TopicRequest other) {
        return hasSameId(other)
                && kind.equals(other.kind)
                && params.equals(other.params)
                && proposal.equals(other.proposal);
    }

    /** Returns the MCP method. */
    public String method() {
        return String.valueOf(kind.method());
    }

    /** Returns the progress token that the requester gave, as raw JSON. */
    Optional<String> progressToken() {
        return params.flatMap(raw -> RawJsonEditor.at(raw, "_meta", "progressToken"));
    }

    /**
     * Returns the capabilities that the requester declared, as an object that is empty if there are none. Always empty
     * for the fulfilment of a proposal: the proposer declared them, and not the participant that fulfils it.
     */
    Json clientCapabilities() {
        return rawClientCapabilities().flatMap(Json::parse).orElseGet(Json::object);
    }

    private Optional<String> rawClientCapabilities() {
        return params.filter(_ -> proposal.isEmpty())
                .flatMap(raw -> RawJsonEditor.at(raw, McpMetaFields.META, McpMetaFields.CAPABILITIES));
    }

    /**
     * Returns the parameters with the trace parent of the proposal's run, if the request fulfils a proposal and the
     * parameters carry a trace parent.
     */
    String withTraceParent(String raw, String topic) {
        if (proposal.isEmpty()) {
            return raw;
        }
        RawPayload call = RawPayload.of(("{\"params\":" + raw + "}").getBytes(StandardCharsets.UTF_8));
        String traceParent = ProposalTraceContext.of(topic, proposal.get(), call)
                .traceParentFor(ProposalTraceContext.SpanType.RUN)
                .toString();
        return RawJsonEditor.replace(raw, Json.ofText(traceParent).raw(), "_meta", "traceparent")
                .orElse(raw);
    }

    /** Returns the envelope that carries the response. */
    public byte[] responseEnvelope(RpcMessage.Response response) {
        return EnvelopeDraft.of(EnvelopeIdGenerator.next('a', Instant.now()), kind.withOperation("response"))
                .withRecipients(List.of(from))
                .withCorrelationIds(List.of(envelopeId))
                .encode(
                        EnvelopeSyntax.CURRENT,
                        RawPayload.of(response.withId(id).json().getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the envelope that reports progress to the requester. */
    byte[] progressEnvelope(String params) {
        return EnvelopeDraft.of(EnvelopeIdGenerator.next('n', Instant.now()), NotificationEnvelopeFactory.PROGRESS_KIND)
                .withRecipients(List.of(from))
                .encode(
                        EnvelopeSyntax.CURRENT,
                        NotificationEnvelopeFactory.payload(new RpcMessage.Notification(
                                NotificationEnvelopeFactory.PROGRESS_METHOD, Optional.of(params))));
    }
}

package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.trace.ProposalTrace;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An MCP request that a participant sent to a bridge in an envelope, with factory methods for its response envelopes.
 * Immutable.
 *
 * @param envelopeId the id of the envelope it came in
 * @param from who asks
 * @param kind with what it is about, be it that the envelope left that out
 * @param id the payload's own id, as it was written
 * @param params as they were written
 * @param proposal the proposal it fulfils, if it does
 * @param envelopeLength how long the envelope is
 */
public record TopicRequest(
        String envelopeId,
        String from,
        Kind kind,
        String id,
        Optional<String> params,
        Optional<String> proposal,
        int envelopeLength) {
    /** Takes a request out of its envelope. */
    public static TopicRequest of(Envelope envelope) {
        String payload = envelope.payload().toString();
        return new TopicRequest(
                envelope.id(),
                String.valueOf(envelope.from()),
                envelope.effectiveKind(),
                // Who gives no id is answered all the same, under the one id there is.
                RawJsonEditor.at(payload, "id")
                        .orElseGet(() -> Json.ofText(envelope.id()).raw()),
                RawJsonEditor.at(payload, "params"),
                envelope.correlationIds().stream().findFirst(),
                envelope.length());
    }

    /** What is asked for. */
    public String method() {
        return String.valueOf(kind.method());
    }

    /** The progress token it asks for, as it was written. */
    Optional<String> progressToken() {
        return params.flatMap(raw -> RawJsonEditor.at(raw, "_meta", "progressToken"));
    }

    /**
     * What they could be asked for in turn: an object, empty where they did not say. Of a proposal's fulfilment it does not
     * count: who made the proposal said it, and who fulfils it was not asked.
     */
    Json clientCapabilities() {
        return rawClientCapabilities().flatMap(Json::parse).orElseGet(Json::object);
    }

    private Optional<String> rawClientCapabilities() {
        return params.filter(_ -> proposal.isEmpty())
                .flatMap(raw -> RawJsonEditor.at(raw, McpMetaFields.META, McpMetaFields.CAPABILITIES));
    }

    /** The same params, where what the tool does is part of a trace: below the run of the proposal that it fulfils. */
    String withTraceParent(String raw, String topic) {
        if (proposal.isEmpty()) {
            return raw;
        }
        Payload call = Payload.of(("{\"params\":" + raw + "}").getBytes(StandardCharsets.UTF_8));
        String below = ProposalTrace.of(topic, proposal.get(), call)
                .traceParentFor(ProposalTrace.SpanType.RUN)
                .toString();
        return RawJsonEditor.replace(raw, Json.ofText(below).raw(), "_meta", "traceparent")
                .orElse(raw);
    }

    /** The envelope that answers it. */
    public byte[] responseEnvelope(RpcMessage.Response response) {
        return EnvelopeDraft.of(EnvelopeIdGenerator.next('a', Instant.now()), kind.withOperation("response"))
                .withRecipients(List.of(from))
                .withCorrelationIds(List.of(envelopeId))
                .encode(
                        SyntaxVersion.CURRENT,
                        Payload.of(response.withId(id).json().getBytes(StandardCharsets.UTF_8)));
    }

    /** The envelope that tells who asked of progress. */
    byte[] progressEnvelope(String params) {
        return EnvelopeDraft.of(EnvelopeIdGenerator.next('n', Instant.now()), NotificationEnvelopes.PROGRESS_KIND)
                .withRecipients(List.of(from))
                .encode(
                        SyntaxVersion.CURRENT,
                        NotificationEnvelopes.payload(new RpcMessage.Notification(
                                NotificationEnvelopes.PROGRESS_METHOD, Optional.of(params))));
    }
}

package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Creates the envelopes and parameters of the MCP notifications that a bridge sends. Stateless. */
final class NotificationEnvelopeFactory {
    static final String PREFIX = "notifications/";
    static final String PROGRESS_METHOD = "notifications/progress";
    static final String CANCELLED_METHOD = "notifications/cancelled";
    static final String ELICITATION_COMPLETE_METHOD = "notifications/elicitation/complete";
    static final String TASK_STATUS_METHOD = "notifications/tasks/status";
    static final Kind PROGRESS_KIND = Kind.of("mcp.request." + PROGRESS_METHOD);

    private NotificationEnvelopeFactory() {}

    static RawPayload payload(RpcMessage message) {
        return RawPayload.of(message.json().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the envelope that sends a notification to all participants, or empty if an envelope cannot carry its
     * method.
     */
    static Optional<byte[]> broadcastEnvelope(RpcMessage.Notification notification) {
        if (!notification.method().startsWith(PREFIX) || notification.method().indexOf(':') >= 0) {
            return Optional.empty();
        }
        return switch (Kind.parse("mcp.request." + notification.method())) {
            case ValueParseResult.Valid<Kind>(Kind kind) ->
                Optional.of(EnvelopeDraft.of(EnvelopeIdGenerator.next('n', Instant.now()), kind)
                        .encode(EnvelopeSyntax.CURRENT, payload(notification)));
            case ValueParseResult.Invalid<Kind> _ -> Optional.empty();
        };
    }

    /** Returns the notification that a resource has changed. */
    static RpcMessage.Notification resourceUpdated(String uri) {
        return new RpcMessage.Notification(
                "notifications/resources/updated",
                Optional.of("{\"uri\":" + Json.ofText(uri).raw() + "}"));
    }

    /** Returns the parameters of a notification that cancels a request. */
    static String cancellationParams(String id, Optional<String> reason) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeName("requestId");
                    json.writeRawValue(id);
                    reason.ifPresent(text -> json.writeStringProperty("reason", text));
                    json.writeEndObject();
                })
                .raw();
    }
}

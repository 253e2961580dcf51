package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Notifications as envelopes, and what MCP calls them. Stateless. */
final class Notices {
    static final String PREFIX = "notifications/";
    static final String PROGRESS_METHOD = "notifications/progress";
    static final String CANCELLED = "notifications/cancelled";
    static final Kind PROGRESS = Kind.of("mcp.request." + PROGRESS_METHOD);

    private Notices() {}

    static Payload payload(Message message) {
        return Payload.of(message.json().getBytes(StandardCharsets.UTF_8));
    }

    /** The envelope that tells everybody; nothing where its method is none that an envelope could carry. */
    static Optional<byte[]> broadcast(Message.Notification notification) {
        if (!notification.method().startsWith(PREFIX) || notification.method().indexOf(':') >= 0) {
            return Optional.empty();
        }
        return switch (Kind.parse("mcp.request." + notification.method())) {
            case Parsed.Valid<Kind>(Kind kind) ->
                Optional.of(EnvelopeDraft.of(EnvelopeIds.next('n', Instant.now()), kind)
                        .encode(Spelling.CURRENT, payload(notification)));
            case Parsed.Invalid<Kind> _ -> Optional.empty();
        };
    }

    /** What tells that a resource changed. */
    static Message.Notification updated(String uri) {
        return new Message.Notification(
                "notifications/resources/updated",
                Optional.of("{\"uri\":" + Json.ofText(uri).raw() + "}"));
    }

    /** The params that call a request off. */
    static String cancellation(String id, Optional<String> reason) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeName("requestId");
                    json.writeRawValue(id);
                    reason.ifPresent(words -> json.writeStringProperty("reason", words));
                    json.writeEndObject();
                })
                .raw();
    }
}

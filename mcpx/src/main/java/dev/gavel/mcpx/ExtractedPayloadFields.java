package dev.gavel.mcpx;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The payload fields that the gateway's permission check and the ledger need, such as method, name, URI, ttl, reason
 * and status. Immutable.
 *
 * @param method the method of a call
 * @param name {@code params.name} of a call, if it is a string
 * @param uri {@code params.uri} of a call, if it is a string
 * @param ttl how long a proposal stays open, at most {@link #MAX_TTL}
 * @param reason the reason of a withdrawal or rejection; a rejection without one has {@code unspecified}
 * @param note the note of a rejection or status
 * @param status the status of a status envelope
 * @param failed whether a response is a JSON-RPC error or a tool's {@code isError}
 */
public record ExtractedPayloadFields(
        @Nullable String method,
        @Nullable String name,
        @Nullable String uri,
        @Nullable Duration ttl,
        @Nullable String reason,
        @Nullable String note,
        @Nullable String status,
        boolean failed) {

    /** A hundred years. The parser reduces a longer ttl to this; the maximum of a topic is shorter anyway. */
    public static final Duration MAX_TTL = Duration.ofDays(36_525);

    static final ExtractedPayloadFields NONE =
            new ExtractedPayloadFields(null, null, null, null, null, null, null, false);

    /**
     * The CONTEXT that a kind of this method has for the call: a name, a URI, or null if the method takes none or the
     * field is absent.
     */
    @Nullable
    String context(@Nullable String kindMethod) {
        if (kindMethod == null) {
            return null;
        }
        return switch (kindMethod) {
            case "tools/call", "prompts/get" -> name;
            default -> kindMethod.startsWith("resources/") ? uri : null;
        };
    }

    /** The payload field that the CONTEXT of this method repeats, or null if the method takes no CONTEXT. */
    static @Nullable String contextField(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> "params.name";
            default -> method.startsWith("resources/") ? "params.uri" : null;
        };
    }
}

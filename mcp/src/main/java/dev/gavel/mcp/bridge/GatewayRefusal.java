package dev.gavel.mcp.bridge;

import dev.gavel.mcpx.json.Json;
import java.time.Duration;

/**
 * The gateway's refusal of an envelope that a bridge sent. Immutable.
 *
 * @param code the error code, such as {@code too_large}
 * @param message the reason for people
 * @param retryAfter when to send the envelope again; zero if that would not help
 */
record GatewayRefusal(String code, String message, Duration retryAfter) {
    private static final long MAX_RETRY_MILLIS = 60_000;

    /** Reads the payload of {@code system.error}. */
    static GatewayRefusal of(Json payload) {
        long retryMillis = payload.at("retryAfterMs").asLong(0);
        return new GatewayRefusal(
                payload.at("error").text(),
                payload.at("message").text(),
                Duration.ofMillis(Math.clamp(retryMillis, 0, MAX_RETRY_MILLIS)));
    }

    /** Whether the gateway may accept the same envelope later. */
    boolean isTemporary() {
        return code.equals("unavailable") && retryAfter.isPositive();
    }

    boolean isTooLarge() {
        return code.equals("too_large");
    }
}

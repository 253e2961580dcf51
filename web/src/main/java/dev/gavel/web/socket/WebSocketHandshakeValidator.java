package dev.gavel.web.socket;

import dev.gavel.web.http.HttpProblem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a request is a valid WebSocket handshake (RFC 6455 section 4.2.1). Vert.x would check it too, but would
 * not respond in the API's problem format. Stateless.
 */
final class WebSocketHandshakeValidator {
    /** Sixteen bytes in Base64. */
    private static final String KEY_PATTERN = "[A-Za-z0-9+/]{22}==";

    private WebSocketHandshakeValidator() {}

    /** Returns the problem with the handshake, or empty if it is valid. */
    static Optional<HttpProblem> validate(HttpServerRequest request) {
        if (!HttpMethod.GET.equals(request.method())
                || !containsIgnoringCase(request.getHeader(HttpHeaders.UPGRADE), "websocket")
                || !containsIgnoringCase(request.getHeader(HttpHeaders.CONNECTION), "upgrade")) {
            return Optional.of(new HttpProblem(426, "upgrade_required", "this path requires a WebSocket client"));
        }
        String key = request.getHeader("Sec-WebSocket-Key");
        String version = request.getHeader("Sec-WebSocket-Version");
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        boolean valid = request.version() == HttpVersion.HTTP_1_1
                && "13".equals(version)
                && key != null
                && key.matches(KEY_PATTERN)
                && (length == null || length.equals("0"))
                && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null;
        return valid
                ? Optional.empty()
                : Optional.of(new HttpProblem(
                        400,
                        "bad_handshake",
                        "the request is not a WebSocket handshake (version 13, HTTP/1.1, no body)"));
    }

    private static boolean containsIgnoringCase(@Nullable String header, String token) {
        return header != null && header.toLowerCase(Locale.ROOT).contains(token);
    }
}

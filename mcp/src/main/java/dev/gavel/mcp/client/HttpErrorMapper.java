package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Converts an MCP server's unsuccessful HTTP response into a JSON-RPC error response. Stateless. */
final class HttpErrorMapper {
    /** How much of a response body is read, in bytes. */
    static final int MAX_BODY_LENGTH = 64 * 1024;

    /** How much of a body is searched for text, in bytes. */
    private static final int MAX_TEXT_LENGTH = 8 * 1024;

    private static final int MAX_DETAIL_LENGTH = 500;

    private static final Pattern MARKUP =
            Pattern.compile("<(script|style)\\b[^>]*>[^<]*</\\1>|<[^>]*>", Pattern.CASE_INSENSITIVE);

    private HttpErrorMapper() {}

    /** Returns the error response, with a placeholder id. */
    static RpcMessage.ErrorResponse toErrorResponse(HttpServerTarget endpoint, HttpResponse<?> response, byte[] body) {
        int status = response.statusCode();
        String serverText = "the server at " + endpoint.redactedUrl();
        if (status < 400) {
            return RpcErrorCode.UNAVAILABLE.toResponse(
                    "null",
                    serverText + " redirects to "
                            + response.headers().firstValue("Location").orElse("an unknown address")
                            + "; configure the final address instead");
        }
        boolean refused = status == 401 || status == 403;
        if (!refused && RpcMessage.read(body) instanceof RpcMessage.ErrorResponse errorResponse) {
            return errorResponse;
        }
        String detail =
                detail(endpoint, response, body).map(text -> ": " + text).orElse("");
        return refused
                ? RpcErrorCode.FORBIDDEN.toResponse(
                        "null",
                        serverText + " refused access (HTTP " + status + detail + "); check the token or the headers")
                : RpcErrorCode.UNAVAILABLE.toResponse("null", serverText + " answered HTTP " + status + detail);
    }

    /**
     * Returns what the body says to people: the detail of a problem document, the message of an error, or the text. Hidden
     * characters are escaped. Secrets that the request contained, and that the server repeats, are replaced.
     */
    private static Optional<String> detail(HttpServerTarget endpoint, HttpResponse<?> response, byte[] body) {
        String text = new String(body, 0, Math.min(body.length, MAX_TEXT_LENGTH), StandardCharsets.UTF_8);
        Json json = Json.parse(new String(body, StandardCharsets.UTF_8)).orElseGet(Json::object);
        String detail = Stream.of(
                        json.at("detail"),
                        json.at("error").at("message"),
                        json.at("error_description"),
                        json.at("message"))
                .flatMap(each -> each.asText().stream())
                .findFirst()
                .orElseGet(() -> McpHttpRequestSender.contentType(response).startsWith("text/html")
                        ? MARKUP.matcher(text).replaceAll(" ")
                        : text);
        String plain = endpoint.withoutSecrets(detail).replaceAll("\\s+", " ").strip();
        return plain.isEmpty() ? Optional.empty() : Optional.of(SafeText.brief(plain, MAX_DETAIL_LENGTH));
    }
}

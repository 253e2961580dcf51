package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Converts an MCP server's unsuccessful HTTP response into a JSON-RPC error response. Stateless. */
final class HttpErrorMapper {
    /** How much of a response body is read, in bytes. */
    static final int MAX_BODY_LENGTH = 64 * 1024;

    private static final int MAX_DETAIL_LENGTH = 500;

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
        if (status != 401 && RpcMessage.read(body) instanceof RpcMessage.ErrorResponse errorResponse) {
            return errorResponse;
        }
        String detail = detail(body).map(text -> ": " + text).orElse("");
        return status == 401 || status == 403
                ? RpcErrorCode.FORBIDDEN.toResponse(
                        "null",
                        serverText + " refused access (HTTP " + status + detail + "); check the token or the headers")
                : RpcErrorCode.UNAVAILABLE.toResponse("null", serverText + " answered HTTP " + status + detail);
    }

    /** Returns the detail text of a problem document. */
    private static Optional<String> detail(byte[] body) {
        return Json.parse(new String(body, StandardCharsets.UTF_8))
                .flatMap(problem -> problem.at("detail").asText())
                .map(text -> text.substring(0, Math.min(text.length(), MAX_DETAIL_LENGTH)));
    }
}

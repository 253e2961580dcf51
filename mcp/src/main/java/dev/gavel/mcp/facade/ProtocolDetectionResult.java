package dev.gavel.mcp.facade;

import dev.gavel.mcp.facade.stateless.StatelessParseResult;
import dev.gavel.mcp.facade.stateless.StatelessRequest;
import dev.gavel.mcp.facade.transport.HttpHeaderLookup;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.rpc.RoutingHeaderNames;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Optional;

/**
 * The result of detecting an HTTP request's MCP protocol: the request is stateless or stateful, or is ignored or
 * refused.
 */
public sealed interface ProtocolDetectionResult {
    /** The version of a stateful request that names none. */
    String DEFAULT_VERSION = "2025-03-26";

    /** A stateless request. */
    record Stateless(StatelessRequest request) implements ProtocolDetectionResult {}

    /** A message that belongs to a session or starts one. */
    record Stateful() implements ProtocolDetectionResult {}

    /** A message that has no meaning in its version and needs no response. */
    record Ignored() implements ProtocolDetectionResult {}

    /** A message that cannot be accepted. */
    record Refused(RpcMessage.ErrorResponse errorResponse) implements ProtocolDetectionResult {}

    /** Detects the protocol of a message. */
    static ProtocolDetectionResult detect(RpcMessage message, HttpHeaderLookup headers) {
        if (message instanceof RpcMessage.Request request && StatelessParseResult.isStateless(request, headers)) {
            return switch (StatelessParseResult.parse(request, headers)) {
                case StatelessParseResult.Valid(StatelessRequest statelessRequest) -> new Stateless(statelessRequest);
                case StatelessParseResult.Invalid(RpcMessage.ErrorResponse errorResponse) -> new Refused(errorResponse);
            };
        }
        boolean initializes =
                message instanceof RpcMessage.Request first && first.method().equals("initialize");
        return initializes
                ? new Stateful()
                : detect(message instanceof RpcMessage.Request request ? request.id() : "null", headers)
                        .orElseGet(() -> message instanceof RpcMessage.Notification
                                // A stateless client cancels a request by closing its connection.
                                ? new Ignored()
                                : new Refused(RpcErrorCode.INVALID_REQUEST.toResponse(
                                        "null", "Unexpected response: the gateway sends no requests to clients.")));
    }

    /**
     * Detects the protocol of a request without a message, such as one for a stream. Empty if the version has no
     * sessions.
     */
    static Optional<ProtocolDetectionResult> detect(HttpHeaderLookup headers) {
        return detect("null", headers);
    }

    private static Optional<ProtocolDetectionResult> detect(String id, HttpHeaderLookup headers) {
        Optional<String> requestedVersion =
                headers.get(RoutingHeaderNames.VERSION).filter(version -> !version.equals(DEFAULT_VERSION));
        if (requestedVersion.isEmpty()) {
            return Optional.of(new Stateful());
        }
        Optional<McpVersion> known = requestedVersion.flatMap(McpVersion::of);
        if (known.isEmpty()) {
            return Optional.of(new Refused(StatelessParseResult.unsupportedVersion(id, requestedVersion.get())));
        }
        return known.filter(McpVersion::isStateful).map(version -> new Stateful());
    }
}

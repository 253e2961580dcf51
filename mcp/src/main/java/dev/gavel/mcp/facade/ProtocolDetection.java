package dev.gavel.mcp.facade;

import dev.gavel.mcp.facade.stateless.StatelessParseResult;
import dev.gavel.mcp.facade.stateless.StatelessRequest;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.facade.transport.RequestHeaders;
import dev.gavel.mcp.rpc.RoutingHeaders;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Optional;

/**
 * Detects for each HTTP request whether it is a stateless MCP request, belongs to a session, is ignored or is refused.
 */
public sealed interface ProtocolDetection {
    /** What a request of a version with sessions counts as that says none. */
    String DEFAULT_VERSION = "2025-03-26";

    /** It stands alone. */
    record Stateless(StatelessRequest request) implements ProtocolDetection {}

    /** It belongs to a session, or begins one. */
    record Stateful() implements ProtocolDetection {}

    /** It means nothing in its version, and wants no answer. */
    record Ignored() implements ProtocolDetection {}

    /** It cannot be taken. */
    record Refused(RpcMessage.ErrorResponse errorResponse) implements ProtocolDetection {}

    /** The kind of a message. */
    static ProtocolDetection detect(RpcMessage message, RequestHeaders headers) {
        if (message instanceof RpcMessage.Request request && StatelessParseResult.isStateless(request, headers)) {
            return switch (StatelessParseResult.parse(request, headers)) {
                case StatelessParseResult.Valid(StatelessRequest statelessRequest) -> new Stateless(statelessRequest);
                case StatelessParseResult.Invalid(RpcMessage.ErrorResponse errorResponse) -> new Refused(errorResponse);
            };
        }
        boolean begins =
                message instanceof RpcMessage.Request first && first.method().equals("initialize");
        return begins
                ? new Stateful()
                : detect(message instanceof RpcMessage.Request request ? request.id() : "null", headers)
                        .orElseGet(() -> message instanceof RpcMessage.Notification
                                // Whoever wants no answer any more closes the connection.
                                ? new Ignored()
                                : new Refused(RpcErrorCode.INVALID_REQUEST.toResponse(
                                        "null", "Nothing here asks a client for an answer.")));
    }

    /** The kind of what is asked of a session without a message; nothing where the version has no sessions. */
    static Optional<ProtocolDetection> detect(RequestHeaders headers) {
        return detect("null", headers);
    }

    private static Optional<ProtocolDetection> detect(String id, RequestHeaders headers) {
        Optional<String> said = headers.get(RoutingHeaders.VERSION).filter(version -> !version.equals(DEFAULT_VERSION));
        if (said.isEmpty()) {
            return Optional.of(new Stateful());
        }
        Optional<McpVersion> known = said.flatMap(McpVersion::of);
        if (known.isEmpty()) {
            return Optional.of(new Refused(StatelessParseResult.unsupportedVersion(id, said.get())));
        }
        return known.filter(McpVersion::isStateful).map(version -> new Stateful());
    }
}

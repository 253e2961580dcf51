package dev.gavel.mcp.rpc;

import java.util.Optional;

/**
 * Text that could not be parsed as a JSON-RPC message, with the error to return to its sender. Immutable.
 *
 * @param error the code of the error response
 * @param reason a sentence for the sender
 * @param id the id for the response, as raw JSON; empty if the text has no readable id
 */
public record MalformedRpcMessage(RpcErrorCode error, String reason, Optional<String> id) implements RpcParseResult {
    /** Returns the error response. */
    public RpcMessage.ErrorResponse toResponse() {
        return error.toResponse(id.orElse("null"), reason);
    }
}

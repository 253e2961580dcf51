package dev.gavel.mcp.rpc;

import java.util.Optional;

/**
 * Text that could not be parsed as a JSON-RPC message, with the error to return to its sender. Immutable.
 *
 * @param error what to answer it with
 * @param reason a sentence for whoever sent it
 * @param id the id it would be answered under, as it was written; nothing where it has none that can be read
 */
public record MalformedRpcMessage(RpcErrorCode error, String reason, Optional<String> id) implements RpcParseResult {
    /** The answer to it. */
    public RpcMessage.ErrorResponse toResponse() {
        return error.toResponse(id.orElse("null"), reason);
    }
}

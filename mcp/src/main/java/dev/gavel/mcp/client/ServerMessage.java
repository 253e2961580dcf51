package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;

/** The result of reading a message of an MCP server. Every case is immutable. */
sealed interface ServerMessage {
    /** A message that can be handled. */
    record Received(RpcMessage message) implements ServerMessage {}

    /**
     * A response that cannot be read, to a request that is known.
     *
     * @param id the id of the request, as raw JSON
     * @param problem a sentence for the caller, without a period
     */
    record UnreadableResponse(String id, String problem) implements ServerMessage {
        /** Returns the error that the caller gets instead. */
        RpcMessage.ErrorResponse toError() {
            return RpcErrorCode.UNSENDABLE.toResponse(id, problem);
        }
    }

    /**
     * Text that is not a message, or not one that answers a request.
     *
     * @param tooLong whether it may be a message that is too long
     * @param problem a sentence for the log, without a period
     */
    record Unreadable(boolean tooLong, String problem) implements ServerMessage {}
}

package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;

/**
 * The JSON-RPC error codes that Gavel returns, with factory methods for error responses. Those of our own have codes
 * outside of what JSON-RPC and MCP keep for themselves, and for the SDKs, some of which mean other things by them.
 */
public enum RpcErrorCode {
    /** The text is no JSON. */
    PARSE_ERROR(-32700),
    /** The JSON is no message. */
    INVALID_REQUEST(-32600),
    /** There is no such method, or not here. */
    METHOD_NOT_FOUND(-32601),
    /** The method cannot be called with these parameters. */
    INVALID_PARAMS(-32602),
    /** Something went wrong that should not. */
    INTERNAL(-32603),
    /** Whoever was to answer is not there, or gone: whether it ran is not known. */
    UNAVAILABLE(-31000),
    /** The caller may not do this. */
    FORBIDDEN(-31001),
    /** There is no such resource. */
    RESOURCE_NOT_FOUND(-32002),
    /** Too much is under way already; later there may be room. */
    BUSY(-31003),
    /** It ran, but its answer is too large, or not fit, to be sent on. */
    UNSENDABLE(-31004),
    /** It was proposed, and is not done: rejected, expired, withdrawn, or nobody knows. */
    NOT_DONE(-31010),
    /** It was proposed, and is not decided yet. */
    PENDING(-31011),
    /** What the headers say is not what the body says, or a header is missing. */
    HEADER_MISMATCH(-32020),
    /** Answering needs something that the client has not said it can do. */
    MISSING_CAPABILITY(-32021),
    /** That version of MCP is not spoken here. */
    UNSUPPORTED_VERSION(-32022),
    /** Somebody called it off. */
    CANCELLED(-32800);

    private final int code;

    RpcErrorCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * An answer that says so.
     *
     * @param id the request's, as it was written
     */
    public RpcMessage.ErrorResponse toResponse(String id, String message) {
        return new RpcMessage.ErrorResponse(id, toJson(message));
    }

    /** The error itself, as JSON. */
    public String toJson(String message) {
        return "{\"code\":" + code + ",\"message\":" + Json.ofText(message).raw() + "}";
    }

    /** An answer that says so, with something that a program can read. */
    public RpcMessage.ErrorResponse toResponse(String id, String message, Json data) {
        return new RpcMessage.ErrorResponse(
                id,
                "{\"code\":" + code + ",\"message\":" + Json.ofText(message).raw() + ",\"data\":" + data.raw() + "}");
    }
}

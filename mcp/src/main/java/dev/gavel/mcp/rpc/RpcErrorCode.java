package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.math.BigDecimal;

/**
 * The JSON-RPC error codes that Gavel returns, with factory methods for error responses. Gavel's own codes lie outside
 * the ranges that JSON-RPC and MCP reserve for themselves and for SDKs, because some SDKs give those codes other
 * meanings.
 */
public enum RpcErrorCode {
    /** The text is not JSON. */
    PARSE_ERROR(-32700),
    /** The JSON is not a message. */
    INVALID_REQUEST(-32600),
    /** The method does not exist, or is not supported here. */
    METHOD_NOT_FOUND(-32601),
    /** The method cannot be called with these parameters. */
    INVALID_PARAMS(-32602),
    /** An unexpected failure. */
    INTERNAL(-32603),
    /** The participant that should respond is not connected or has left. Whether the call ran is not known. */
    UNAVAILABLE(-31000),
    /** The caller does not have permission. */
    FORBIDDEN(-31001),
    /** The resource does not exist. */
    RESOURCE_NOT_FOUND(-32002),
    /** Too many requests are in flight. The caller may retry later. */
    BUSY(-31003),
    /** The call ran, but its response is too large or not valid to send. */
    UNSENDABLE(-31004),
    /** The call was proposed and not run: it was rejected, expired or withdrawn, or its outcome is not known. */
    NOT_DONE(-31010),
    /** The call was proposed and is not decided yet. */
    PENDING(-31011),
    /** A header is missing or does not match the body. */
    HEADER_MISMATCH(-32020),
    /** The response needs a capability that the client has not declared. */
    MISSING_CAPABILITY(-32021),
    /** Gavel does not support that MCP version. */
    UNSUPPORTED_VERSION(-32022),
    /** The request was cancelled. */
    CANCELLED(-32800);

    private final int code;

    RpcErrorCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether a JSON-RPC error has this code, however the number is written. */
    public boolean isCodeOf(Json error) {
        Json number = error.at("code");
        try {
            return number.type() == Json.Type.NUMBER
                    && new BigDecimal(number.raw()).compareTo(BigDecimal.valueOf(code)) == 0;
        } catch (NumberFormatException e) {
            // The exponent is too large.
            return false;
        }
    }

    /**
     * Returns an error response with this code.
     *
     * @param id the id of the request, as raw JSON
     */
    public RpcMessage.ErrorResponse toResponse(String id, String message) {
        return new RpcMessage.ErrorResponse(id, toJson(message));
    }

    /** Returns the error object as JSON. */
    public String toJson(String message) {
        return "{\"code\":" + code + ",\"message\":" + Json.ofText(message).raw() + "}";
    }

    /** Returns an error response with this code and machine-readable data. */
    public RpcMessage.ErrorResponse toResponse(String id, String message, Json data) {
        return new RpcMessage.ErrorResponse(
                id,
                "{\"code\":" + code + ",\"message\":" + Json.ofText(message).raw() + ",\"data\":" + data.raw() + "}");
    }
}

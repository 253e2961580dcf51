package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;

/**
 * Adapts results and errors to MCP 2026-07-28: adds result type, cache hints and server info, and replaces forbidden
 * error codes. Immutable.
 */
final class StatelessResultFormatter {
    private static final String TYPE = "resultType";

    /** Error codes of older versions. */
    private static final int RESOURCE_NOT_FOUND = -32002;

    private static final int URL_ELICITATION_REQUIRED = -32042;

    /**
     * Lists seldom change, and a client that needs to know at once can listen. Lists depend on the caller, so they are
     * not shared in caches.
     */
    private static final String LIST_TTL_MILLIS = "5000";

    private final String serverInfo;

    StatelessResultFormatter(ServerDescriptionWriter serverDescriptionWriter) {
        this.serverInfo = Json.write(serverDescriptionWriter::writeServerInfo).raw();
    }

    /** Formats a participant's response, and adds what its protocol version does not define. */
    RpcMessage formatForwarded(String method, RpcMessage answer) {
        return switch (answer) {
            case RpcMessage.ResultResponse(String id, String result) ->
                new RpcMessage.ResultResponse(id, withCacheHints(method, withResultType(result)));
            case RpcMessage.ErrorResponse errorResponse ->
                new RpcMessage.ErrorResponse(errorResponse.id(), permittedError(errorResponse));
            default -> answer;
        };
    }

    /**
     * Returns the error with a code that this version permits. Some codes of older versions must not be used any more.
     */
    static String permittedError(RpcMessage.ErrorResponse errorResponse) {
        RpcErrorCode replacement =
                switch (Math.toIntExact(Math.clamp(errorResponse.code(), Integer.MIN_VALUE, Integer.MAX_VALUE))) {
                    case RESOURCE_NOT_FOUND -> RpcErrorCode.INVALID_PARAMS;
                    case URL_ELICITATION_REQUIRED -> RpcErrorCode.INTERNAL;
                    default -> null;
                };
        return replacement == null
                ? errorResponse.error()
                : RawJsonEditor.with(errorResponse.error(), Integer.toString(replacement.code()), "code");
    }

    /** Formats a response that the facade itself created. */
    RpcMessage formatLocal(String method, RpcMessage answer) {
        RpcMessage formatted = formatForwarded(method, answer);
        return formatted instanceof RpcMessage.ResultResponse(String id, String result)
                ? new RpcMessage.ResultResponse(
                        id, RawJsonEditor.with(result, serverInfo, McpMetaFields.META, McpMetaFields.SERVER))
                : formatted;
    }

    /** Returns a result with its result type. */
    static String withResultType(String result) {
        // A value that is not a text is not a result type.
        return RawJsonEditor.at(result, TYPE)
                        .filter(type -> type.startsWith("\""))
                        .isPresent()
                ? result
                : RawJsonEditor.with(result, "\"complete\"", TYPE);
    }

    private static String withCacheHints(String method, String result) {
        String millis = switch (method) {
            case "tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover" ->
                LIST_TTL_MILLIS;
            case "resources/read" -> "0";
            default -> "";
        };
        if (millis.isEmpty()
                || RawJsonEditor.at(result, TYPE)
                        .filter("\"input_required\""::equals)
                        .isPresent()) {
            return result;
        }
        String withTtl = has(result, "ttlMs") ? result : RawJsonEditor.with(result, millis, "ttlMs");
        return has(withTtl, "cacheScope") ? withTtl : RawJsonEditor.with(withTtl, "\"private\"", "cacheScope");
    }

    private static boolean has(String result, String name) {
        return RawJsonEditor.at(result, name).isPresent();
    }
}

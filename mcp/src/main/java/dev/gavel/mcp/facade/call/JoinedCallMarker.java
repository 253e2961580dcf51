package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;

/** Marks the response to a repeated call that joined an earlier call, so that the client can recognise it. Stateless. */
final class JoinedCallMarker {
    private static final String TRUE = "true";

    private JoinedCallMarker() {}

    static RpcMessage mark(RpcMessage response) {
        return switch (response) {
            case RpcMessage.ResultResponse(String id, String result) ->
                new RpcMessage.ResultResponse(
                        id, RawJsonEditor.with(result, TRUE, McpMetaFields.META, GavelMetaFields.JOINED));
            case RpcMessage.ErrorResponse(String id, String error) ->
                new RpcMessage.ErrorResponse(
                        id, RawJsonEditor.with(withDataObject(error), TRUE, "data", GavelMetaFields.JOINED));
            case RpcMessage.Request _, RpcMessage.Notification _ ->
                throw new IllegalArgumentException("not a response");
        };
    }

    /** A server's {@code data} can be any value. Fields can be added only to an object. */
    private static String withDataObject(String error) {
        return RawJsonEditor.at(error, "data")
                .filter(data -> !data.startsWith("{"))
                .flatMap(data -> RawJsonEditor.replace(
                        error, "{" + Json.ofText(GavelMetaFields.DATA).raw() + ":" + data + "}", "data"))
                .orElse(error);
    }
}

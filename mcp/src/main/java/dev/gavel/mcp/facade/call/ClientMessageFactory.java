package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Creates the JSON-RPC results, notifications and tool results that the facade itself sends to clients. Stateless. */
public final class ClientMessageFactory {
    /** The result of a request that returns no data. */
    public static final String EMPTY_RESULT = "{}";

    private ClientMessageFactory() {}

    public static RpcMessage result(String id, Consumer<JsonGenerator> members) {
        return new RpcMessage.ResultResponse(id, jsonObject(members).raw());
    }

    public static Json jsonObject(Consumer<JsonGenerator> members) {
        return Json.write(json -> {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        });
    }

    public static RpcMessage notification(String method, Consumer<JsonGenerator> params) {
        return new RpcMessage.Notification(
                method, Optional.of(jsonObject(params).raw()));
    }

    public static RpcMessage notification(String method) {
        return new RpcMessage.Notification(method, Optional.empty());
    }

    /** Returns a tool result with a text. */
    public static Json textToolResult(String text, boolean isError, Consumer<JsonGenerator> extraMembers) {
        return jsonObject(json -> {
            json.writeArrayPropertyStart("content");
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", text);
            json.writeEndObject();
            json.writeEndArray();
            if (isError) {
                json.writeBooleanProperty("isError", true);
            }
            extraMembers.accept(json);
        });
    }
}

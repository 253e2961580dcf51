package dev.gavel.client;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tools and other MCP methods that a participant serves, each with its handler, and the descriptions that {@code
 * tools/list} returns. The client answers {@code tools/list} from it. Not thread-safe while it is being built; {@link
 * Participant#serve} takes a copy.
 */
public final class Tools {
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_PARAMS = -32602;

    private final Map<String, ToolHandler> toolHandlers = new LinkedHashMap<>();
    private final Map<String, Json> descriptions = new LinkedHashMap<>();
    private final Map<String, ToolHandler> methods = new LinkedHashMap<>();

    /** Adds a tool. */
    public Tools tool(String name, ToolHandler toolHandler) {
        return tool(name, "", Json.object().with("type", Json.ofText("object")), toolHandler);
    }

    /** Adds a tool with a description and a JSON Schema of its arguments, which {@code tools/list} returns. */
    public Tools tool(String name, String description, Json inputSchema, ToolHandler toolHandler) {
        toolHandlers.put(name, toolHandler);
        Json entry = Json.object().with("name", Json.ofText(name));
        entry = description.isEmpty() ? entry : entry.with("description", Json.ofText(description));
        descriptions.put(name, entry.with("inputSchema", inputSchema));
        return this;
    }

    /** Adds a handler for another MCP method, such as {@code resources/read}. */
    public Tools method(String method, ToolHandler handler) {
        methods.put(method, handler);
        return this;
    }

    Tools copy() {
        Tools copy = new Tools();
        copy.toolHandlers.putAll(toolHandlers);
        copy.descriptions.putAll(descriptions);
        copy.methods.putAll(methods);
        return copy;
    }

    Answer answer(IncomingToolRequest request) throws Exception {
        Call call = request.call();
        Optional<String> name = call.tool();
        ToolHandler toolHandler = name.isPresent() ? toolHandlers.get(name.get()) : methods.get(call.method());
        if (toolHandler != null) {
            return toolHandler.call(request);
        }
        if (name.isPresent()) {
            return Answer.error(INVALID_PARAMS, "unknown tool '" + name.get() + "'");
        }
        return call.method().equals("tools/list")
                ? Answer.result(list())
                : Answer.error(METHOD_NOT_FOUND, "unknown method '" + call.method() + "'");
    }

    private Json list() {
        return Json.write(json -> {
            json.writeStartObject().writeArrayPropertyStart("tools");
            descriptions.values().forEach(each -> json.writeRawValue(each.raw()));
            json.writeEndArray().writeEndObject();
        });
    }
}

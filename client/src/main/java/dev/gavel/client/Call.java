package dev.gavel.client;

import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * An MCP call that a proposer proposes or a reviewer edits: a method with its parameters. Immutable.
 *
 * @param method such as {@code tools/call}
 * @param params an object; missing where the call has none
 */
public record Call(String method, Json params) {
    private static final String TOOL = "tools/call";

    /** A call of a tool, without arguments yet. */
    public static Call tool(String name) {
        return new Call(TOOL, Json.object().with("name", Json.ofText(name)).with("arguments", Json.object()));
    }

    /** A call of another method, without parameters yet. */
    public static Call method(String method) {
        return new Call(method, Json.object());
    }

    /** The tool that is called, if one is. */
    public Optional<String> tool() {
        return method.equals(TOOL) ? params.at("name").asText() : Optional.empty();
    }

    /** The arguments of a tool; missing where there are none. */
    public Json arguments() {
        return params.at("arguments");
    }

    /** The same with an argument more, or with another value for it. */
    public Call argument(String name, String value) {
        return argument(name, Json.ofText(value));
    }

    /** The same with an argument more, or with another value for it. */
    public Call argument(String name, long value) {
        return argument(name, Json.of(value));
    }

    /** The same with an argument more, or with another value for it. */
    public Call argument(String name, boolean value) {
        return argument(name, Json.of(value));
    }

    /** The same with an argument more, or with another value for it. */
    public Call argument(String name, Json value) {
        Json arguments = arguments().isPresent() ? arguments() : Json.object();
        return arguments(arguments.with(name, value));
    }

    /** The same with these arguments instead. */
    public Call arguments(Json arguments) {
        return param("arguments", arguments);
    }

    /** The same with a parameter more; for methods other than {@code tools/call}. */
    public Call param(String name, String value) {
        return param(name, Json.ofText(value));
    }

    /** The same with a parameter more; for methods other than {@code tools/call}. */
    public Call param(String name, Json value) {
        return new Call(method, params.with(name, value));
    }

    static Call of(Json payload) {
        return new Call(payload.at("method").text(), payload.at("params"));
    }

    Kind kind(String operation) {
        return new Kind("mcp", operation, method, tool().orElse(null));
    }
}

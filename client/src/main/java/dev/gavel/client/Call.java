package dev.gavel.client;

import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * An MCP call that a proposer proposes or a reviewer edits: a method with its parameters. Immutable.
 *
 * @param method the MCP method, such as {@code tools/call}
 * @param params the parameters, an object; missing if the call has none
 */
public record Call(String method, Json params) {
    private static final String TOOL = "tools/call";

    /** Returns a call of a tool, without arguments. */
    public static Call tool(String name) {
        return new Call(TOOL, Json.object().with("name", Json.ofText(name)).with("arguments", Json.object()));
    }

    /** Returns a call of another method, without parameters. */
    public static Call method(String method) {
        return new Call(method, Json.object());
    }

    /** Returns the name of the called tool; empty if the method is not {@code tools/call}. */
    public Optional<String> tool() {
        return method.equals(TOOL) ? params.at("name").asText() : Optional.empty();
    }

    /** Returns the arguments of a tool call; missing if there are none. */
    public Json arguments() {
        return params.at("arguments");
    }

    /** Returns a copy of this call with one argument added or replaced. */
    public Call argument(String name, String value) {
        return argument(name, Json.ofText(value));
    }

    /** Returns a copy of this call with one argument added or replaced. */
    public Call argument(String name, long value) {
        return argument(name, Json.of(value));
    }

    /** Returns a copy of this call with one argument added or replaced. */
    public Call argument(String name, boolean value) {
        return argument(name, Json.of(value));
    }

    /** Returns a copy of this call with one argument added or replaced. */
    public Call argument(String name, Json value) {
        Json arguments = arguments().isPresent() ? arguments() : Json.object();
        return arguments(arguments.with(name, value));
    }

    /** Returns a copy of this call with these arguments in place of all others. */
    public Call arguments(Json arguments) {
        return param("arguments", arguments);
    }

    /** Returns a copy of this call with one parameter added or replaced; for methods other than {@code tools/call}. */
    public Call param(String name, String value) {
        return param(name, Json.ofText(value));
    }

    /** Returns a copy of this call with one parameter added or replaced; for methods other than {@code tools/call}. */
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

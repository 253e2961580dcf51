package dev.gavel.client;

import dev.gavel.mcpx.json.Json;

/** The answer that a participant's tool gives to a request: a result or a JSON-RPC error. Every case is immutable. */
public sealed interface Answer {
    /**
     * The result of a method, in the form that MCP defines for it.
     *
     * @param value an object; for a tool it has {@code content}
     */
    record Result(Json value) implements Answer {}

    /** A JSON-RPC error. */
    record ErrorAnswer(int code, String message) implements Answer {}

    /** Returns a tool result with one text. */
    static Result text(String text) {
        return new Result(content(text));
    }

    /** Returns a result with this value, unchanged. */
    static Result result(Json value) {
        return new Result(value);
    }

    /** Returns a tool result that reports a failure, with this reason. */
    static Result failed(String reason) {
        return new Result(content(reason).with("isError", Json.of(true)));
    }

    /** Returns a JSON-RPC error, for a request that is invalid or not meant for this participant. */
    static ErrorAnswer error(int code, String message) {
        return new ErrorAnswer(code, message);
    }

    private static Json content(String text) {
        return Json.write(json -> {
            json.writeStartObject().writeArrayPropertyStart("content").writeStartObject();
            json.writeStringProperty("type", "text").writeStringProperty("text", text);
            json.writeEndObject().writeEndArray().writeEndObject();
        });
    }
}

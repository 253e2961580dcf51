package dev.gavel.client;

import dev.gavel.mcpx.json.Json;

/** The answer that a participant's tool gives to a request: a result or a JSON-RPC error. Every case is immutable. */
public sealed interface Answer {
    /**
     * A result, as the method has it.
     *
     * @param value an object; for a tool with {@code content}
     */
    record Result(Json value) implements Answer {}

    /** A JSON-RPC error. */
    record ErrorAnswer(int code, String message) implements Answer {}

    /** A tool's text. */
    static Result text(String text) {
        return new Result(content(text));
    }

    /** A tool's result as it is. */
    static Result result(Json value) {
        return new Result(value);
    }

    /** The tool did not do it, for this reason. */
    static Result failed(String why) {
        return new Result(content(why).with("isError", Json.of(true)));
    }

    /** The request could not be understood or is not for this participant. */
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

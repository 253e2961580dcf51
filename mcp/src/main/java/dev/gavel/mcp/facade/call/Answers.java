package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Messages of the facade's own making. Stateless. */
public final class Answers {
    /** What a request is answered with that asks for nothing back. */
    public static final String NOTHING = "{}";

    private Answers() {}

    public static Message result(String id, Consumer<JsonGenerator> members) {
        return new Message.Response(id, object(members).raw());
    }

    public static Json object(Consumer<JsonGenerator> members) {
        return Json.write(json -> {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        });
    }

    public static Message notification(String method, Consumer<JsonGenerator> params) {
        return new Message.Notification(method, Optional.of(object(params).raw()));
    }

    public static Message notification(String method) {
        return new Message.Notification(method, Optional.empty());
    }

    /** A tool's result that is a text. */
    public static Json text(String words, boolean isError, Consumer<JsonGenerator> more) {
        return object(json -> {
            json.writeArrayPropertyStart("content");
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", words);
            json.writeEndObject();
            json.writeEndArray();
            if (isError) {
                json.writeBooleanProperty("isError", true);
            }
            more.accept(json);
        });
    }
}

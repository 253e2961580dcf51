package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** The desk's verbs as MCP tools, and its replies as their results. Stateless. */
final class DeskTools {
    private static final List<Verb> OFFERED =
            Arrays.stream(Verb.values()).filter(verb -> verb.tool().isPresent()).toList();

    /** The same for everybody, always. */
    private static final Json LIST = Json.write(json -> {
        json.writeStartObject();
        json.writeArrayPropertyStart("tools");
        OFFERED.forEach(verb -> tool(json, verb));
        json.writeEndArray();
        json.writeEndObject();
    });

    private DeskTools() {}

    /** The result of {@code tools/list}. */
    static Json list() {
        return LIST;
    }

    /** The verb of a tool. */
    static Optional<Verb> named(String tool) {
        return OFFERED.stream()
                .filter(verb -> verb.tool().filter(tool::equals).isPresent())
                .findFirst();
    }

    private static void tool(JsonGenerator json, Verb verb) {
        json.writeStartObject();
        json.writeStringProperty("name", verb.tool().orElseThrow());
        json.writeStringProperty("description", verb.says());
        json.writeName("inputSchema");
        json.writeRawValue(verb.schema().raw());
        json.writeObjectPropertyStart("annotations");
        json.writeBooleanProperty("readOnlyHint", !verb.changes());
        if (verb.changes()) {
            // What happened stays in the history, but a decision is not taken back by another call.
            json.writeBooleanProperty("destructiveHint", verb == Verb.MOVE);
            json.writeBooleanProperty("idempotentHint", false);
        }
        json.writeBooleanProperty("openWorldHint", false);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** What a call comes to; a no is a result as well, so that the model that called reads it. */
    static Json result(Verb verb, Reply reply) {
        return switch (reply) {
            case Reply.Done(Json body) -> result(String.join("\n", SepText.of(verb, body)), body, false);
            case Reply.Refused(String code, String message, Json more) -> no(code.replace('-', '_'), message, more);
            case Reply.Wrong(String message) -> no("bad_arguments", message, Json.object());
            case Reply.Unknown(String message) -> no("unknown_sep", message, Json.object());
            case Reply.Unavailable(String reason, var retryAfter) ->
                no(
                        "unavailable",
                        reason + "; nothing was changed, try again in " + Math.max(1, retryAfter.toSeconds()) + " s",
                        Json.object());
        };
    }

    private static Json no(String code, String message, Json more) {
        return result(message, more.with("code", Json.ofText(code)).with("detail", Json.ofText(message)), true);
    }

    private static Json result(String text, Json structured, boolean isError) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("content");
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", text);
            json.writeEndObject();
            json.writeEndArray();
            json.writeName("structuredContent");
            json.writeRawValue(structured.raw());
            json.writeBooleanProperty("isError", isError);
            json.writeEndObject();
        });
    }
}

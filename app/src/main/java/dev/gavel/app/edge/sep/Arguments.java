package dev.gavel.app.edge.sep;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.Encoding;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Param;
import dev.gavel.sep.desk.Verb;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/** What a request brings, as the arguments of a verb; what they must be is for the desk to say. Stateless. */
final class Arguments {
    private static final Pattern WHOLE = Pattern.compile("0|[1-9]\\d{0,17}");

    private Arguments() {}

    /** The number in a path; nothing where no proposal can have it. */
    static Optional<Json> number(String text) {
        return WHOLE.matcher(text).matches() && text.length() < 10
                ? Optional.of(Json.of(Long.parseLong(text)))
                : Optional.empty();
    }

    /** Those of a query, each as what the verb takes under its name. */
    static Parsed<Json> ofQuery(Verb verb, Iterable<Map.Entry<String, String>> query) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : query) {
            if (given.putIfAbsent(each.getKey(), each.getValue()) != null) {
                return new Parsed.Invalid<>("'" + each.getKey() + "' is given twice");
            }
        }
        return sound(Json.write(json -> {
            json.writeStartObject();
            given.forEach((name, value) -> {
                json.writeName(name);
                value(json, type(verb, name), value);
            });
            json.writeEndObject();
        }));
    }

    private static Param.Type type(Verb verb, String name) {
        return verb.params().stream()
                .filter(param -> param.name().equals(name))
                .map(Param::type)
                .findFirst()
                .orElse(Param.Type.TEXT);
    }

    /** What is no number is left a text, and the desk says that a number is wanted. */
    private static void value(JsonGenerator json, Param.Type type, String value) {
        if (type == Param.Type.NUMBER && WHOLE.matcher(value).matches()) {
            json.writeNumber(Long.parseLong(value));
        } else if (type == Param.Type.TRUTH && (value.equals("true") || value.equals("false"))) {
            json.writeBoolean(value.equals("true"));
        } else {
            json.writeString(value);
        }
    }

    /** Those of a body: a JSON object, or nothing at all. */
    static Parsed<Json> ofBody(byte[] body) {
        if (body.length == 0) {
            return new Parsed.Valid<>(Json.object());
        }
        if (!Encoding.isUtf8(body)) {
            return new Parsed.Invalid<>("the body is not UTF-8");
        }
        String text = new String(body, UTF_8);
        Optional<Json> read = Json.parse(text);
        if (read.isEmpty()) {
            return new Parsed.Invalid<>(
                    "the body is not JSON: " + Json.trouble(text).orElse("nobody knows why"));
        }
        return read.get().type() == Json.Type.OBJECT
                ? sound(read.get())
                : new Parsed.Invalid<>("the body must be a JSON object");
    }

    /** Half a character is one that nobody could write down again. */
    private static Parsed<Json> sound(Json value) {
        return halves(value)
                ? new Parsed.Invalid<>("a text in it is no sound Unicode: half a surrogate pair")
                : new Parsed.Valid<>(value);
    }

    private static boolean halves(Json value) {
        return switch (value.type()) {
            case TEXT -> halves(value.text());
            case ARRAY -> value.elements().stream().anyMatch(Arguments::halves);
            case OBJECT ->
                value.members().entrySet().stream()
                        .anyMatch(member -> halves(member.getKey()) || halves(member.getValue()));
            case NUMBER, BOOLEAN, NULL, MISSING -> false;
        };
    }

    private static boolean halves(String text) {
        return text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}

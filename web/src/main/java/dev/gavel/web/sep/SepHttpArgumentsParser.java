package dev.gavel.web.sep;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.Utf8Validator;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepParameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/**
 * Converts an HTTP request's SEP number, query parameters or JSON body to the JSON arguments of a SEP service
 * operation. Stateless.
 */
final class SepHttpArgumentsParser {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

    private SepHttpArgumentsParser() {}

    /** Parses the number in a path; empty if no SEP can have it. */
    static Optional<Json> parseNumber(String text) {
        return WHOLE_NUMBER.matcher(text).matches() && text.length() < 10
                ? Optional.of(Json.of(Long.parseLong(text)))
                : Optional.empty();
    }

    /** Converts a query; each value gets the type of the operation's parameter with that name. */
    static ValueParseResult<Json> ofQuery(SepOperation sepOperation, Iterable<Map.Entry<String, String>> query) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : query) {
            if (values.putIfAbsent(each.getKey(), each.getValue()) != null) {
                return new ValueParseResult.Invalid<>("'" + each.getKey() + "' is given more than once");
            }
        }
        return requireValidUnicode(Json.write(json -> {
            json.writeStartObject();
            values.forEach((name, value) -> {
                json.writeName(name);
                writeValue(json, type(sepOperation, name), value);
            });
            json.writeEndObject();
        }));
    }

    private static SepParameter.Type type(SepOperation sepOperation, String name) {
        return sepOperation.params().stream()
                .filter(sepParameter -> sepParameter.name().equals(name))
                .map(SepParameter::type)
                .findFirst()
                .orElse(SepParameter.Type.TEXT);
    }

    /** Writes a value that is not a number as text; the SEP service then reports that it expects a number. */
    private static void writeValue(JsonGenerator json, SepParameter.Type type, String value) {
        if (type == SepParameter.Type.NUMBER && WHOLE_NUMBER.matcher(value).matches()) {
            json.writeNumber(Long.parseLong(value));
        } else if (type == SepParameter.Type.TRUTH && (value.equals("true") || value.equals("false"))) {
            json.writeBoolean(value.equals("true"));
        } else {
            json.writeString(value);
        }
    }

    /** Parses a body: a JSON object, or empty. */
    static ValueParseResult<Json> ofBody(byte[] body) {
        if (body.length == 0) {
            return new ValueParseResult.Valid<>(Json.object());
        }
        if (!Utf8Validator.isUtf8(body)) {
            return new ValueParseResult.Invalid<>("the body is not valid UTF-8");
        }
        String text = new String(body, UTF_8);
        Optional<Json> parsed = Json.parse(text);
        if (parsed.isEmpty()) {
            return new ValueParseResult.Invalid<>(
                    "the body is not JSON: " + Json.findSyntaxError(text).orElse("unknown syntax error"));
        }
        return parsed.get().type() == Json.Type.OBJECT
                ? requireValidUnicode(parsed.get())
                : new ValueParseResult.Invalid<>("the body must be a JSON object");
    }

    /** Rejects texts with an unpaired surrogate, which cannot be encoded again. */
    private static ValueParseResult<Json> requireValidUnicode(Json value) {
        return hasUnpairedSurrogate(value)
                ? new ValueParseResult.Invalid<>("a text contains an unpaired surrogate, which is not valid Unicode")
                : new ValueParseResult.Valid<>(value);
    }

    private static boolean hasUnpairedSurrogate(Json value) {
        return switch (value.type()) {
            case TEXT -> hasUnpairedSurrogate(value.text());
            case ARRAY -> value.elements().stream().anyMatch(SepHttpArgumentsParser::hasUnpairedSurrogate);
            case OBJECT ->
                value.members().entrySet().stream()
                        .anyMatch(member ->
                                hasUnpairedSurrogate(member.getKey()) || hasUnpairedSurrogate(member.getValue()));
            case NUMBER, BOOLEAN, NULL, MISSING -> false;
        };
    }

    private static boolean hasUnpairedSurrogate(String text) {
        return text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}

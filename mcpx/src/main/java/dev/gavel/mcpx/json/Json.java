package dev.gavel.mcpx.json;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * An immutable JSON value that keeps its original text, so that unchanged parts are forwarded or shown exactly as
 * received. All nested values share one source text, which stays in memory as long as any of them does; see {@link
 * #detached}.
 */
public final class Json {
    /** Rejects repeated names: a person must see every value that a receiver may read. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final Json MISSING = new Json(Type.MISSING, "", 0, 0, "", Map.of(), List.of());

    /** The type of a value; {@code MISSING} if there is no value. */
    public enum Type {
        MISSING,
        OBJECT,
        ARRAY,
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    private final Type type;

    /**
     * The shared source text of which this value is a part: a copy for each level would multiply its size by the depth.
     */
    private final String source;

    private final int start;
    private final int end;
    private final String text;
    private final Map<String, Json> members;
    private final List<Json> elements;

    private Json(
            Type type, String source, int start, int end, String text, Map<String, Json> members, List<Json> elements) {
        this.type = type;
        this.source = source;
        this.start = start;
        this.end = end;
        this.text = text;
        this.members = members;
        this.elements = elements;
    }

    /** Parses one JSON value; empty if the text is not exactly one valid value. */
    public static Optional<Json> parse(String source) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), source)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            Json value = read(parser, source);
            return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** The syntax error of a text and its position; empty if the text is one valid JSON value. */
    public static Optional<String> findSyntaxError(String source) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), source)) {
            if (parser.nextToken() == null) {
                return Optional.of("it is empty");
            }
            read(parser, source);
            return parser.nextToken() == null
                    ? Optional.empty()
                    : Optional.of(
                            describeLocation(parser.currentTokenLocation()) + "there is extra data after the end");
        } catch (JacksonException e) {
            return Optional.of(describeLocation(e.getLocation()) + e.getOriginalMessage());
        }
    }

    private static String describeLocation(@Nullable TokenStreamLocation location) {
        return location == null ? "" : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
    }

    /** Returns the value that {@code content} writes. */
    public static Json write(Consumer<JsonGenerator> content) {
        StringWriter writer = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), writer)) {
            content.accept(generator);
        }
        String text = writer.toString();
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException("the written text is not one JSON value: "
                        + findSyntaxError(text).orElse("unknown error") + "; a value might be missing"));
    }

    /** Returns a text as a JSON value. */
    public static Json ofText(String text) {
        return write(json -> json.writeString(text));
    }

    /** Returns an integer as a JSON value. */
    public static Json of(long number) {
        return write(json -> json.writeNumber(number));
    }

    /** Returns a boolean as a JSON value. */
    public static Json of(boolean bool) {
        return write(json -> json.writeBoolean(bool));
    }

    /** Returns an object without members. */
    public static Json object() {
        return write(json -> json.writeStartObject().writeEndObject());
    }

    /** Returns an object with these members, which keep their original text. */
    public static Json object(Map<String, Json> members) {
        return write(json -> {
            json.writeStartObject();
            members.forEach((name, value) -> {
                json.writeName(name);
                json.writeRawValue(value.raw());
            });
            json.writeEndObject();
        });
    }

    private static Json read(JsonParser parser, String source) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Json> members = new LinkedHashMap<>();
                for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                    parser.nextToken();
                    members.put(name, read(parser, source));
                }
                yield new Json(Type.OBJECT, source, start, closingOffset(parser), "", members, List.of());
            }
            case START_ARRAY -> {
                List<Json> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(read(parser, source));
                }
                yield new Json(Type.ARRAY, source, start, closingOffset(parser), "", Map.of(), elements);
            }
            case VALUE_STRING -> {
                // The text is fetched first: only then has the parser read to its end.
                String text = parser.getString();
                yield scalar(
                        Type.TEXT, source, start, (int) parser.currentLocation().getCharOffset(), text);
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> literal(Type.NUMBER, source, start, parser.getString());
            case VALUE_TRUE, VALUE_FALSE -> literal(Type.BOOLEAN, source, start, parser.getString());
            case VALUE_NULL -> literal(Type.NULL, source, start, "null");
            default -> throw new IllegalStateException("unexpected JSON token " + parser.currentToken());
        };
    }

    /** The end offset of the object or array whose closing bracket is the current token. */
    private static int closingOffset(JsonParser parser) {
        return (int) parser.currentTokenLocation().getCharOffset() + 1;
    }

    /** A value whose text equals its source. */
    private static Json literal(Type type, String source, int start, String text) {
        return scalar(type, source, start, start + text.length(), text);
    }

    private static Json scalar(Type type, String source, int start, int end, String text) {
        return new Json(type, source, start, end, text, Map.of(), List.of());
    }

    /**
     * Returns the same value without the surrounding source text, for callers that store a small part of a large text
     * for long.
     */
    public Json detached() {
        return end - start == source.length() ? this : parse(raw()).orElse(this);
    }

    public Type type() {
        return type;
    }

    /** Returns the original text, including whitespace. */
    public String raw() {
        return source.substring(start, end);
    }

    /** Returns a member of an object; a missing value if this is not an object or has no such member. */
    public Json at(String name) {
        return members.getOrDefault(name, MISSING);
    }

    /** Whether the value exists. */
    public boolean isPresent() {
        return type != Type.MISSING;
    }

    /** The characters of a text, number or boolean; empty for all other values. */
    public String text() {
        return type == Type.NULL ? "" : text;
    }

    /** The text, if this is a text value. */
    public Optional<String> asText() {
        return type == Type.TEXT ? Optional.of(text) : Optional.empty();
    }

    /** The number, or the given default if this is not an integer. */
    public long asLong(long defaultValue) {
        try {
            return type == Type.NUMBER ? Long.parseLong(text) : defaultValue;
        } catch (NumberFormatException e) {
            return defaultValue;
        }
    }

    public boolean isTrue() {
        return type == Type.BOOLEAN && text.equals("true");
    }

    /** The members of an object, in their original order. */
    public Map<String, Json> members() {
        return Collections.unmodifiableMap(members);
    }

    /** The elements of an array. */
    public List<Json> elements() {
        return Collections.unmodifiableList(elements);
    }

    /** The text values among an array's elements; a single text counts as an array of one. */
    public List<String> texts() {
        return type == Type.TEXT
                ? List.of(text)
                : elements.stream()
                        .filter(each -> each.type == Type.TEXT)
                        .map(Json::text)
                        .toList();
    }

    /** Returns a copy of the object with a member added or replaced; all other members keep their original text. */
    public Json with(String name, Json value) {
        Map<String, Json> newMembers = new LinkedHashMap<>(members);
        newMembers.put(name, value);
        return object(newMembers);
    }

    /** Formats the value on one line, without whitespace. Escapes in texts that JSON does not need are decoded. */
    public String compact() {
        StringBuilder line = new StringBuilder();
        print(line, "", false);
        return line.toString();
    }

    /** Formats the value on several lines, indented by two spaces. Texts are decoded as by {@link #compact}. */
    public String pretty() {
        StringBuilder lines = new StringBuilder();
        print(lines, "\n", true);
        return lines.toString();
    }

    private void print(StringBuilder output, String lineBreak, boolean indented) {
        if (type == Type.OBJECT) {
            output.append('{');
            String innerLineBreak = indented ? lineBreak + "  " : lineBreak;
            String before = "";
            for (Map.Entry<String, Json> member : members.entrySet()) {
                output.append(before).append(innerLineBreak);
                quote(member.getKey(), output);
                output.append(indented ? ": " : ":");
                member.getValue().print(output, innerLineBreak, indented);
                before = ",";
            }
            output.append(members.isEmpty() ? "" : lineBreak).append('}');
        } else if (type == Type.ARRAY) {
            output.append('[');
            String innerLineBreak = indented ? lineBreak + "  " : lineBreak;
            String before = "";
            for (Json element : elements) {
                output.append(before).append(innerLineBreak);
                element.print(output, innerLineBreak, indented);
                before = ",";
            }
            output.append(elements.isEmpty() ? "" : lineBreak).append(']');
        } else if (type == Type.TEXT) {
            quote(text, output);
        } else {
            output.append(source, start, end);
        }
    }

    /** Writes a text as JSON, with escapes only where JSON needs them: a person must read the text, not its encoding. */
    private static void quote(String text, StringBuilder output) {
        output.append('"');
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            switch (character) {
                case '"' -> output.append("\\\"");
                case '\\' -> output.append("\\\\");
                case '\n' -> output.append("\\n");
                case '\r' -> output.append("\\r");
                case '\t' -> output.append("\\t");
                default -> {
                    if (Character.isHighSurrogate(character)
                            && at + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(at + 1))) {
                        output.append(character).append(text.charAt(++at));
                    } else if (character < ' ' || Character.isSurrogate(character)) {
                        // UTF-8 has no form for half of a surrogate pair.
                        output.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
                    } else {
                        output.append(character);
                    }
                }
            }
        }
        output.append('"');
    }

    /** Compares the values as a program would, regardless of whitespace and the order of names. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Json json
                && type == json.type
                && text.equals(json.text)
                && members.equals(json.members)
                && elements.equals(json.elements);
    }

    @Override
    public int hashCode() {
        return text.hashCode() + 31 * members.hashCode() + 961 * elements.hashCode();
    }

    /** Returns the original text. */
    @Override
    public String toString() {
        return raw();
    }
}

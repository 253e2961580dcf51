package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads, replaces, inserts and removes single values in JSON text without changing the rest of the text. It builds no
 * tree, so its cost is linear in the length of the text. Stateless.
 */
public final class RawJsonEditor {
    /** The maximum nesting depth of objects and arrays. An envelope's payload has the same limit. */
    static final int MAX_DEPTH = 100;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(1000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            // Senders choose the names: a cache of all names would let a sender fill the memory.
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .build();

    private RawJsonEditor() {}

    /** The position of a value in a text. */
    record Span(int start, int end) {
        String in(String text) {
            return text.substring(start, end);
        }
    }

    /** Returns the value at a path of member names as raw JSON, or empty if there is none. */
    public static Optional<String> at(String json, String... names) {
        return find(json, names).map(span -> span.in(json));
    }

    /** Returns the text with another value at the path, or empty if the path has no value. */
    public static Optional<String> replace(String json, String value, String... names) {
        return find(json, names).map(span -> json.substring(0, span.start()) + value + json.substring(span.end()));
    }

    /**
     * Returns the text with the value at the path, whether or not the path already has one. Creates missing objects on
     * the path.
     *
     * @param json an object
     */
    public static String with(String json, String value, String... names) {
        if (!json.stripLeading().startsWith("{")) {
            throw new IllegalArgumentException("not a JSON object");
        }
        for (int depth = names.length; depth > 0; depth--) {
            Optional<Span> found = find(json, Arrays.copyOf(names, depth));
            if (found.isPresent()) {
                Span span = found.get();
                String existing = span.in(json);
                String replacement = depth == names.length
                        ? value
                        : existing.startsWith("{")
                                ? insertMember(existing, value, names, depth)
                                : nestValue(value, names, depth);
                return json.substring(0, span.start()) + replacement + json.substring(span.end());
            }
        }
        return insertMember(json, value, names, 0);
    }

    private static String insertMember(String object, String value, String[] names, int from) {
        int start = object.indexOf('{') + 1;
        boolean empty = object.substring(start).stripLeading().startsWith("}");
        String member = Json.ofText(names[from]).raw() + ":" + nestValue(value, names, from + 1);
        return object.substring(0, start) + member + (empty ? "" : ",") + object.substring(start);
    }

    private static String nestValue(String value, String[] names, int from) {
        String result = value;
        for (int index = names.length - 1; index >= from; index--) {
            result = "{" + Json.ofText(names[index]).raw() + ":" + result + "}";
        }
        return result;
    }

    /** Returns the object without the member of that name. */
    public static String without(String json, String name) {
        Optional<Span> found = find(json, name);
        if (found.isEmpty()) {
            return json;
        }
        // Cut from the start of the name to the comma after the value, or else from the comma before the name.
        String before = json.substring(0, found.get().start()).stripTrailing();
        before = before.substring(0, before.length() - 1).stripTrailing();
        before = before.substring(0, openingQuote(before)).stripTrailing();
        String after = json.substring(found.get().end()).stripLeading();
        if (after.startsWith(",")) {
            after = after.substring(1);
        } else if (before.endsWith(",")) {
            before = before.substring(0, before.length() - 1);
        }
        return before + after;
    }

    /** Returns the index of the opening quote of the string that ends with the last character. */
    private static int openingQuote(String text) {
        int index = text.length() - 2;
        while (text.charAt(index) != '"' || isEscaped(text, index)) {
            index--;
        }
        return index;
    }

    private static boolean isEscaped(String text, int index) {
        int slashes = 0;
        while (text.charAt(index - 1 - slashes) == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    private static Optional<Span> find(String json, String... names) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            for (String name : names) {
                if (parser.currentToken() != JsonToken.START_OBJECT || !enter(parser, name)) {
                    return Optional.empty();
                }
            }
            return Optional.of(span(parser));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static boolean enter(JsonParser parser, String wanted) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            if (name.equals(wanted)) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }

    /** Returns the position of the value at whose start the parser is, and advances the parser to its end. */
    static Span span(JsonParser parser) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return new Span(start, (int) parser.currentTokenLocation().getCharOffset() + 1);
        }
        // The parser reads a string to its end only on request; the end of a number follows from its length.
        String text = parser.getString();
        return new Span(
                start,
                parser.currentToken() == JsonToken.VALUE_STRING
                        ? (int) parser.currentLocation().getCharOffset()
                        : start + text.length());
    }
}

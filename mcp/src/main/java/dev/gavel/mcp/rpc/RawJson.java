package dev.gavel.mcp.rpc;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Looks into JSON, and changes a value within it, without touching a letter around it. Keeps no tree, so it costs no more
 * than the text is long. Stateless.
 */
public final class RawJson {
    /** Objects and arrays within each other. What an envelope carries may not be deeper either. */
    static final int DEPTH = 100;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH)
                    .maxNumberLength(1000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            // Senders choose names: keeping them all for the next text would let one fill our memory.
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .build();

    private RawJson() {}

    /** Where a value stands in a text. */
    record Span(int start, int end) {
        String in(String text) {
            return text.substring(start, end);
        }
    }

    /** The value under these names, each within the one before, as it was written; nothing where there is none. */
    public static Optional<String> at(String json, String... names) {
        return find(json, names).map(span -> span.in(json));
    }

    /** The same text with another value under these names; nothing where there is no value there. */
    public static Optional<String> replaced(String json, String value, String... names) {
        return find(json, names).map(span -> json.substring(0, span.start()) + value + json.substring(span.end()));
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

    /** Where the value stands that the parser is at the beginning of; afterwards it is at its end. */
    static Span span(JsonParser parser) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return new Span(start, (int) parser.currentTokenLocation().getCharOffset() + 1);
        }
        // A text is read to its end only when somebody asks for it; a number's end is known by its letters alone.
        String text = parser.getString();
        return new Span(
                start,
                parser.currentToken() == JsonToken.VALUE_STRING
                        ? (int) parser.currentLocation().getCharOffset()
                        : start + text.length());
    }
}

package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A value in an envelope's payload that capability patterns are matched against: a scalar as text, or the relevant
 * fields of an object. Not modified after {@link #read} returns it.
 *
 * @param text a string, or the JSON text of a number, true, false or null; null for objects and arrays
 * @param number whether it is a number
 * @param fields the selected fields of an object; null for all other values
 */
record MatchablePayloadValue(
        @Nullable String text, boolean number, @Nullable Map<String, MatchablePayloadValue> fields) {
    /** A reader accepted these payloads within its limits before; the same bytes must not fail stricter limits here. */
    private static final StrictJsonParserFactory JSON = new StrictJsonParserFactory(EnvelopeLimits.NONE);

    private static final MatchablePayloadValue UNMATCHABLE = new MatchablePayloadValue(null, false, null);

    /** Reads the selected values in one pass; text that is not a JSON object yields a value that no pattern matches. */
    static MatchablePayloadValue read(RawPayload payload, PayloadFieldSelection payloadFieldSelection) {
        try (JsonParser parser = JSON.createParser(payload.array(), payload.offset(), payload.length())) {
            JsonToken first = parser.nextToken();
            return first == null ? UNMATCHABLE : value(parser, first, payloadFieldSelection);
        } catch (JacksonException e) {
            return UNMATCHABLE;
        }
    }

    boolean object() {
        return fields != null;
    }

    @Nullable
    MatchablePayloadValue field(String name) {
        return fields == null ? null : fields.get(name);
    }

    private static MatchablePayloadValue value(
            JsonParser parser, JsonToken first, PayloadFieldSelection payloadFieldSelection) {
        return switch (first) {
            case START_OBJECT -> object(parser, payloadFieldSelection);
            case START_ARRAY -> {
                parser.skipChildren();
                yield UNMATCHABLE;
            }
            default -> new MatchablePayloadValue(parser.getString(), first.isNumeric(), null);
        };
    }

    private static MatchablePayloadValue object(JsonParser parser, PayloadFieldSelection payloadFieldSelection) {
        if (payloadFieldSelection.isEmpty()) {
            parser.skipChildren();
            return new MatchablePayloadValue(null, false, Map.of());
        }
        var fields = new HashMap<String, MatchablePayloadValue>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            PayloadFieldSelection nestedSelection = payloadFieldSelection.field(name);
            if (nestedSelection != null) {
                fields.put(name, value(parser, value, nestedSelection));
            } else {
                parser.skipChildren();
            }
        }
        return new MatchablePayloadValue(null, false, fields);
    }
}

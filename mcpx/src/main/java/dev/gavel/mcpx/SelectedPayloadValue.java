package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A value selected from a payload for pattern matching: a scalar as text, or the selected fields of an object. Not
 * modified after {@link #read} returns it.
 *
 * @param text a string, or the JSON text of a number, true, false or null; null for objects and arrays
 * @param number whether it is a number
 * @param fields the selected fields of an object; null for all other values
 */
record SelectedPayloadValue(
        @Nullable String text, boolean number, @Nullable Map<String, SelectedPayloadValue> fields) {
    /** A reader accepted these payloads within its limits before; the same bytes must not fail stricter limits here. */
    private static final StrictJsonParserFactory JSON = new StrictJsonParserFactory(EnvelopeLimits.NONE);

    private static final SelectedPayloadValue UNMATCHABLE = new SelectedPayloadValue(null, false, null);

    /** Reads the selected values in one pass; text that is not a JSON object yields a value that no pattern matches. */
    static SelectedPayloadValue read(Payload payload, PayloadFieldSelection payloadFieldSelection) {
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
    SelectedPayloadValue field(String name) {
        return fields == null ? null : fields.get(name);
    }

    private static SelectedPayloadValue value(
            JsonParser parser, JsonToken first, PayloadFieldSelection payloadFieldSelection) {
        return switch (first) {
            case START_OBJECT -> object(parser, payloadFieldSelection);
            case START_ARRAY -> {
                parser.skipChildren();
                yield UNMATCHABLE;
            }
            default -> new SelectedPayloadValue(parser.getString(), first.isNumeric(), null);
        };
    }

    private static SelectedPayloadValue object(JsonParser parser, PayloadFieldSelection payloadFieldSelection) {
        if (payloadFieldSelection.isEmpty()) {
            parser.skipChildren();
            return new SelectedPayloadValue(null, false, Map.of());
        }
        var fields = new HashMap<String, SelectedPayloadValue>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            PayloadFieldSelection nestedSelection = payloadFieldSelection.field(name);
            if (nestedSelection != null) {
                fields.put(name, value(parser, value, nestedSelection));
            } else {
                parser.skipChildren();
            }
        }
        return new SelectedPayloadValue(null, false, fields);
    }
}

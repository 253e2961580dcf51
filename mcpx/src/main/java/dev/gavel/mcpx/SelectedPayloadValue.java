package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A value selected from a payload for pattern matching: a scalar as text, or the selected fields of an object.
 * Immutable once it is made.
 *
 * @param text a string, or the JSON text of a number, true, false or null; none for objects and arrays
 * @param number whether it is a number
 * @param fields those of an object that were asked about; null for all else
 */
record SelectedPayloadValue(
        @Nullable String text, boolean number, @Nullable Map<String, SelectedPayloadValue> fields) {
    /** Payloads were read within a reader's limits before; here the same bytes must not meet narrower ones. */
    private static final StrictJsonParserFactory JSON = new StrictJsonParserFactory(EnvelopeLimits.NONE);

    private static final SelectedPayloadValue UNMATCHABLE = new SelectedPayloadValue(null, false, null);

    /** One look through a payload; what is no JSON object shows nothing, so that no pattern matches it. */
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
            PayloadFieldSelection asked = payloadFieldSelection.field(name);
            if (asked != null) {
                fields.put(name, value(parser, value, asked));
            } else {
                parser.skipChildren();
            }
        }
        return new SelectedPayloadValue(null, false, fields);
    }
}

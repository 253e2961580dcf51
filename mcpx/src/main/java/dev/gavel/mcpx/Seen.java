package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A value in a payload, as far as anybody asked about it. Immutable once it is made.
 *
 * @param text a string, or the JSON text of a number, true, false or null; none for objects and arrays
 * @param number whether it is a number
 * @param fields those of an object that were asked about; null for all else
 */
record Seen(@Nullable String text, boolean number, @Nullable Map<String, Seen> fields) {
    /** Payloads were read within a reader's limits before; here the same bytes must not meet narrower ones. */
    private static final StrictJson JSON = new StrictJson(Limits.NONE);

    private static final Seen ARRAY = new Seen(null, false, null);

    /** One look through a payload; what is no JSON object shows nothing, so that no pattern matches it. */
    static Seen look(Payload payload, Shape shape) {
        try (JsonParser parser = JSON.parser(payload.array(), payload.offset(), payload.length())) {
            JsonToken first = parser.nextToken();
            return first == null ? ARRAY : value(parser, first, shape);
        } catch (JacksonException e) {
            return ARRAY;
        }
    }

    boolean object() {
        return fields != null;
    }

    @Nullable
    Seen field(String name) {
        return fields == null ? null : fields.get(name);
    }

    private static Seen value(JsonParser parser, JsonToken first, Shape shape) {
        return switch (first) {
            case START_OBJECT -> object(parser, shape);
            case START_ARRAY -> {
                parser.skipChildren();
                yield ARRAY;
            }
            default -> new Seen(parser.getString(), first.isNumeric(), null);
        };
    }

    private static Seen object(JsonParser parser, Shape shape) {
        if (shape.leaf()) {
            parser.skipChildren();
            return new Seen(null, false, Map.of());
        }
        var fields = new HashMap<String, Seen>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            Shape asked = shape.field(name);
            if (asked != null) {
                fields.put(name, value(parser, value, asked));
            } else {
                parser.skipChildren();
            }
        }
        return new Seen(null, false, fields);
    }
}

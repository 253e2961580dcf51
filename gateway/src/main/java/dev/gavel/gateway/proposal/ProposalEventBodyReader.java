package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Parses the JSON body of a stored proposal event and returns its fields by name and type. Null counts as absent. A
 * field that is missing or of another type causes an {@link IllegalArgumentException} that names it.
 */
final class ProposalEventBodyReader {
    /** Stands for values that no event uses: numbers, and nulls in arrays. */
    private enum UnusedValue {
        VALUE
    }

    private final Map<String, Object> values;

    private ProposalEventBodyReader(Map<String, Object> values) {
        this.values = values;
    }

    static ProposalEventBodyReader parse(byte[] json) {
        var values = new HashMap<String, Object>();
        try (JsonParser parser = StoredJsonParserFactory.create(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the body is not a JSON object");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                Object value = value(parser, parser.nextToken(), json);
                if (value != null) {
                    values.put(name, value);
                }
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("there is extra data after the JSON object");
            }
        }
        return new ProposalEventBodyReader(values);
    }

    private static @Nullable Object value(JsonParser parser, JsonToken token, byte[] json) {
        return switch (token) {
            case VALUE_STRING -> parser.getString();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case START_ARRAY -> {
                var elements = new ArrayList<Object>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    elements.add(Objects.requireNonNullElse(value(parser, next, json), UnusedValue.VALUE));
                }
                yield elements;
            }
            case START_OBJECT -> {
                int start = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                yield Arrays.copyOfRange(
                        json, start, (int) parser.currentLocation().getByteOffset());
            }
            case VALUE_NULL -> null;
            default -> UnusedValue.VALUE;
        };
    }

    String text(String name) {
        return as(String.class, name, values.get(name));
    }

    @Nullable
    String textOrNull(String name) {
        Object value = values.get(name);
        return value == null ? null : as(String.class, name, value);
    }

    boolean flag(String name) {
        return as(Boolean.class, name, values.get(name));
    }

    Instant instant(String name) {
        return Instant.parse(text(name));
    }

    /** The unchanged bytes of an object. */
    byte[] object(String name) {
        return as(byte[].class, name, values.get(name));
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    List<String> texts(String name) {
        return elements(String.class, name);
    }

    List<ProposalEventBodyReader> objects(String name) {
        return elements(byte[].class, name).stream()
                .map(ProposalEventBodyReader::parse)
                .toList();
    }

    private <T> List<T> elements(Class<T> type, String name) {
        List<?> elements = as(List.class, name, values.get(name));
        return elements.stream().<T>map(each -> as(type, name, each)).toList();
    }

    private static <T> T as(Class<T> type, String name, @Nullable Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    value == null ? "'" + name + "' is missing" : "'" + name + "' has the wrong type");
        }
        return type.cast(value);
    }
}

package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A walk over one JSON text that notes the first thing wrong and goes on, so that an envelope's id can still be found
 * behind it. Not thread-safe; one for each reading.
 */
final class JsonWalk {
    final JsonParser parser;
    private final FieldNames names;
    private final Limits limits;
    private @Nullable String problem;

    JsonWalk(JsonParser parser, Limits limits) {
        this.limits = limits;
        this.parser = parser;
        this.names = new FieldNames(limits.fields());
    }

    Limits limits() {
        return limits;
    }

    /** What was wrong first, or null. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Something is wrong. */
    void wrong(String what) {
        if (problem == null) {
            problem = what;
        }
    }

    /** Begins the object whose brace is the current token. */
    void enter() {
        names.open();
    }

    /** The next name of the object begun last, or null where it ends. */
    @Nullable
    String nextName() {
        String name = parser.nextName();
        if (name == null) {
            names.close();
            return null;
        }
        add(name);
        return name;
    }

    /** The next token, which stands for a value. */
    JsonToken value() {
        return parser.nextToken();
    }

    /** The string that is the current value; of anything else, that it should be one. */
    @Nullable
    String string(JsonToken value, String field) {
        if (value == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        wrong("'" + field + "' must be a string");
        skip(value);
        return null;
    }

    /** Goes to the end of the value that begins with this token; whatever is in it must be sound, too. */
    void skip(JsonToken first) {
        if (!first.isStructStart()) {
            return;
        }
        int depth = 1;
        if (first == JsonToken.START_OBJECT) {
            names.open();
        }
        while (depth > 0) {
            switch (parser.nextToken()) {
                case PROPERTY_NAME -> add(parser.currentName());
                case START_OBJECT -> {
                    names.open();
                    depth++;
                }
                case END_OBJECT -> {
                    names.close();
                    depth--;
                }
                case START_ARRAY -> depth++;
                case END_ARRAY -> depth--;
                default -> {}
            }
        }
    }

    private void add(String name) {
        String fault = names.add(name);
        if (fault != null) {
            wrong(fault);
        }
    }
}

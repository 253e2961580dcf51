package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the tokens of one JSON text and records the first problem without stopping, so that later fields are still
 * read. Not thread-safe; one for each reading.
 */
final class JsonTokenReader {
    final JsonParser parser;
    private final DuplicateNameDetector names;
    private final EnvelopeLimits limits;
    private @Nullable String firstProblem;

    JsonTokenReader(JsonParser parser, EnvelopeLimits limits) {
        this.limits = limits;
        this.parser = parser;
        this.names = new DuplicateNameDetector(limits.fields());
    }

    EnvelopeLimits limits() {
        return limits;
    }

    /** What was wrong first, or null. */
    @Nullable
    String firstProblem() {
        return firstProblem;
    }

    /** Something is wrong. */
    void reportProblem(String what) {
        if (firstProblem == null) {
            firstProblem = what;
        }
    }

    /** Begins the object whose brace is the current token. */
    void beginObject() {
        names.beginObject();
    }

    /** The next name of the object begun last, or null where it ends. */
    @Nullable
    String nextName() {
        String name = parser.nextName();
        if (name == null) {
            names.endObject();
            return null;
        }
        addName(name);
        return name;
    }

    /** The next token, which stands for a value. */
    JsonToken nextValue() {
        return parser.nextToken();
    }

    /** The string that is the current value; of anything else, that it should be one. */
    @Nullable
    String stringValue(JsonToken value, String field) {
        if (value == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        reportProblem("'" + field + "' must be a string");
        skipValue(value);
        return null;
    }

    /** Goes to the end of the value that begins with this token; whatever is in it must be sound, too. */
    void skipValue(JsonToken first) {
        if (!first.isStructStart()) {
            return;
        }
        int depth = 1;
        if (first == JsonToken.START_OBJECT) {
            names.beginObject();
        }
        while (depth > 0) {
            switch (parser.nextToken()) {
                case PROPERTY_NAME -> addName(parser.currentName());
                case START_OBJECT -> {
                    names.beginObject();
                    depth++;
                }
                case END_OBJECT -> {
                    names.endObject();
                    depth--;
                }
                case START_ARRAY -> depth++;
                case END_ARRAY -> depth--;
                default -> {}
            }
        }
    }

    private void addName(String name) {
        String fault = names.add(name);
        if (fault != null) {
            reportProblem(fault);
        }
    }
}

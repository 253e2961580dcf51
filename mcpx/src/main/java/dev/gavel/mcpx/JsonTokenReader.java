package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the tokens of one JSON text; after a problem, records the first one and continues, so that later fields are
 * still read. Not thread-safe; create one for each parse.
 */
final class JsonTokenReader {
    final JsonParser parser;
    private final DuplicateJsonFieldDetector names;
    private final EnvelopeLimits limits;
    private @Nullable String firstProblem;
    private boolean redactionMarkerNamed;

    JsonTokenReader(JsonParser parser, EnvelopeLimits limits) {
        this.limits = limits;
        this.parser = parser;
        this.names = new DuplicateJsonFieldDetector(limits.fields());
    }

    EnvelopeLimits limits() {
        return limits;
    }

    /** The first problem, or null if there is none. */
    @Nullable
    String firstProblem() {
        return firstProblem;
    }

    /** Whether one of the names so far is that of the marker of a hidden value. */
    boolean isRedactionMarkerNamed() {
        return redactionMarkerNamed;
    }

    /** Records a problem unless one is recorded already. */
    void reportProblem(String problem) {
        if (firstProblem == null) {
            firstProblem = problem;
        }
    }

    /** Starts the object whose brace is the current token. */
    void beginObject() {
        names.beginObject();
    }

    /** Returns the next name of the innermost open object, or null at its end. */
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

    /** Returns the next token, which starts a value. */
    JsonToken nextValue() {
        return parser.nextToken();
    }

    /** Returns the current value if it is a string; otherwise reports a problem and returns null. */
    @Nullable
    String stringValue(JsonToken value, String field) {
        if (value == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        reportProblem("'" + field + "' must be a string");
        skipValue(value);
        return null;
    }

    /** Skips to the end of the value that starts with this token, and still checks its names. */
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

    /** Adds a name. The parser has resolved its escapes, which must not hide a reserved name. */
    private void addName(String name) {
        redactionMarkerNamed |= name.equals(RedactionMarker.NAME);
        String problem = names.add(name);
        if (problem != null) {
            reportProblem(problem);
        }
    }
}

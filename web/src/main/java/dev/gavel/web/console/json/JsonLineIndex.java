package dev.gavel.web.console.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** Finds the line on which each value of a JSON text begins. Immutable. */
public final class JsonLineIndex {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<JsonValuePath, Integer> lines;

    private JsonLineIndex(Map<JsonValuePath, Integer> lines) {
        this.lines = lines;
    }

    /** Indexes a JSON text. An invalid text is indexed up to its first error. */
    public static JsonLineIndex parse(String json) {
        Map<JsonValuePath, Integer> lines = new HashMap<>();
        Deque<OpenContainer> openContainers = new ArrayDeque<>();
        try (JsonParser parser = FACTORY.createParser(tools.jackson.core.ObjectReadContext.empty(), json)) {
            JsonValuePath name = JsonValuePath.ROOT;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                int line = parser.currentTokenLocation().getLineNr();
                switch (token) {
                    case PROPERTY_NAME -> {
                        name = openContainers.getFirst().path().child(parser.currentName());
                        lines.put(name, line);
                    }
                    case END_OBJECT, END_ARRAY -> openContainers.removeFirst();
                    default -> {
                        JsonValuePath valuePath = openContainers.isEmpty()
                                        || !openContainers.getFirst().array()
                                ? name
                                : openContainers.getFirst().next();
                        lines.putIfAbsent(valuePath, line);
                        if (token.isStructStart()) {
                            openContainers.addFirst(new OpenContainer(valuePath, token == JsonToken.START_ARRAY));
                        }
                    }
                }
            }
        } catch (JacksonException e) {
            // The values before the error are indexed.
            return new JsonLineIndex(lines);
        }
        return new JsonLineIndex(lines);
    }

    /** An object or array that has not ended yet. */
    private static final class OpenContainer {
        private final JsonValuePath path;
        private final boolean array;
        private int elements;

        OpenContainer(JsonValuePath path, boolean array) {
            this.path = path;
            this.array = array;
        }

        JsonValuePath path() {
            return path;
        }

        boolean array() {
            return array;
        }

        JsonValuePath next() {
            return path.child(elements++);
        }
    }

    /**
     * Returns the line of a value, counted from one. For a missing value, returns the line of the value that would
     * contain it.
     */
    public int line(JsonValuePath path) {
        for (int length = path.steps().size(); length >= 0; length--) {
            Integer line = lines.get(new JsonValuePath(path.steps().subList(0, length)));
            if (line != null) {
                return line;
            }
        }
        return 1;
    }
}

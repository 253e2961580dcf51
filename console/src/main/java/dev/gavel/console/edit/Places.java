package dev.gavel.console.edit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** On which line of a JSON text each value begins, with its name where it has one. Immutable. */
public final class Places {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<Path, Integer> lines;

    private Places(Map<Path, Integer> lines) {
        this.lines = lines;
    }

    /** Where is what in a text; of one that is no JSON, as far as it is. */
    public static Places in(String json) {
        Map<Path, Integer> lines = new HashMap<>();
        Deque<Open> open = new ArrayDeque<>();
        try (JsonParser parser = FACTORY.createParser(tools.jackson.core.ObjectReadContext.empty(), json)) {
            Path name = Path.ROOT;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                int line = parser.currentTokenLocation().getLineNr();
                switch (token) {
                    case PROPERTY_NAME -> {
                        name = open.getFirst().path().to(parser.currentName());
                        lines.put(name, line);
                    }
                    case END_OBJECT, END_ARRAY -> open.removeFirst();
                    default -> {
                        Path here = open.isEmpty() || !open.getFirst().array()
                                ? name
                                : open.getFirst().next();
                        lines.putIfAbsent(here, line);
                        if (token.isStructStart()) {
                            open.addFirst(new Open(here, token == JsonToken.START_ARRAY));
                        }
                    }
                }
            }
        } catch (JacksonException e) {
            // What came before is known all the same.
            return new Places(lines);
        }
        return new Places(lines);
    }

    /** An object or array that has not ended yet. */
    private static final class Open {
        private final Path path;
        private final boolean array;
        private int elements;

        Open(Path path, boolean array) {
            this.path = path;
            this.array = array;
        }

        Path path() {
            return path;
        }

        boolean array() {
            return array;
        }

        Path next() {
            return path.to(elements++);
        }
    }

    /** The line of a value, counted from one; of what is not there, the line of what it would be in. */
    public int line(Path path) {
        for (int length = path.steps().size(); length >= 0; length--) {
            Integer line = lines.get(new Path(path.steps().subList(0, length)));
            if (line != null) {
                return line;
            }
        }
        return 1;
    }
}

package dev.gavel.web.console.json;

import java.util.ArrayList;
import java.util.List;

/** The path to a value within a JSON document: member names and array indexes. Immutable. */
public record JsonValuePath(List<String> steps) {
    /** The path of the whole value. */
    public static final JsonValuePath ROOT = new JsonValuePath(List.of());

    public JsonValuePath {
        steps = List.copyOf(steps);
    }

    public JsonValuePath child(String member) {
        List<String> more = new ArrayList<>(steps);
        more.add(member);
        return new JsonValuePath(more);
    }

    public JsonValuePath child(int element) {
        return child("[" + element + "]");
    }

    /** Returns the path as people read it: {@code options.depth}, {@code list[2]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String step : steps) {
            text.append(text.isEmpty() || step.startsWith("[") ? "" : ".").append(step);
        }
        return text.toString();
    }
}

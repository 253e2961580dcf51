package dev.gavel.console.edit;

import java.util.ArrayList;
import java.util.List;

/** The way to a value within a JSON value: names of members, places in arrays. Immutable. */
public record Path(List<String> steps) {
    /** The whole value. */
    public static final Path ROOT = new Path(List.of());

    public Path {
        steps = List.copyOf(steps);
    }

    public Path to(String member) {
        List<String> more = new ArrayList<>(steps);
        more.add(member);
        return new Path(more);
    }

    public Path to(int element) {
        return to("[" + element + "]");
    }

    /** For people: {@code options.depth}, {@code list[2]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String step : steps) {
            text.append(text.isEmpty() || step.startsWith("[") ? "" : ".").append(step);
        }
        return text.toString();
    }
}

package dev.gavel.app.cli;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What was changed between a call as it was proposed and as it was made. */
record Difference(Json before, Json after) {
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.$/-]+");

    /** One side of a change. */
    record Line(Style style, String text) {}

    /** A line for every argument that went, a line for every one that came. */
    List<Line> lines() {
        Map<String, Json> old = labelled(before);
        Map<String, Json> now = labelled(after);
        List<Line> lines = new ArrayList<>();
        var names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            Optional<Json> left = Optional.ofNullable(old.get(name));
            Optional<Json> right = Optional.ofNullable(now.get(name));
            String was = left.flatMap(Difference::severalLines).orElse("");
            String is = right.flatMap(Difference::severalLines).orElse("");
            if (!was.isEmpty() && !is.isEmpty() && !was.equals(is)) {
                lines.add(new Line(Style.PLAIN, "  " + name + ":"));
                lines.addAll(LineDifference.between(was, is));
            } else if (!left.equals(right)) {
                left.ifPresent(value -> lines.add(new Line(Style.BAD, "- " + argument(name, value))));
                right.ifPresent(value -> lines.add(new Line(Style.GOOD, "+ " + argument(name, value))));
            }
        }
        return lines;
    }

    private static Optional<String> severalLines(Json value) {
        return value.ifText().filter(text -> text.contains("\n"));
    }

    private static String argument(String name, Json value) {
        return name + ": " + SafeText.json(value.compact());
    }

    /**
     * The call's own fields in brackets, and its arguments by their names alone: those are what people know. A name that
     * could be taken for something else is quoted, so no two are labelled alike.
     */
    private static Map<String, Json> labelled(Json params) {
        Map<String, Json> arguments = new LinkedHashMap<>();
        params.members().forEach((name, value) -> {
            if (!name.equals("arguments") && !name.equals("_meta")) {
                arguments.put("(" + label(name) + ")", value);
            }
        });
        params.at("arguments").members().forEach((name, value) -> arguments.put(label(name), value));
        return arguments;
    }

    private static String label(String name) {
        return PLAIN.matcher(name).matches()
                ? name
                : SafeText.json(Json.ofText(name).raw());
    }
}

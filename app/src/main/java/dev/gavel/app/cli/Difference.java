package dev.gavel.app.cli;

import dev.gavel.client.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What was changed between a call as it was proposed and as it was made. */
record Difference(Json before, Json after) {
    /** One side of a change. */
    record Line(Style style, String text) {}

    /** A line for every argument that went, a line for every one that came. */
    List<Line> lines() {
        Map<String, Json> old = arguments(before);
        Map<String, Json> now = arguments(after);
        List<Line> lines = new ArrayList<>();
        var names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            Optional<Json> left = Optional.ofNullable(old.get(name));
            Optional<Json> right = Optional.ofNullable(now.get(name));
            String was = left.flatMap(Difference::severalLines).orElse("");
            String is = right.flatMap(Difference::severalLines).orElse("");
            if (!was.isEmpty() && !is.isEmpty() && !was.equals(is)) {
                lines.add(new Line(Style.PLAIN, "  " + SafeText.line(name) + ":"));
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
        return SafeText.line(name) + ": " + SafeText.json(value.compact());
    }

    /** The call's own fields, and its arguments by their names alone: those are what people know. */
    private static Map<String, Json> arguments(Json params) {
        Map<String, Json> arguments = new LinkedHashMap<>();
        params.members().forEach((name, value) -> {
            if (!name.equals("arguments") && !name.equals("_meta")) {
                arguments.put("(" + name + ")", value);
            }
        });
        arguments.putAll(params.at("arguments").members());
        return arguments;
    }
}

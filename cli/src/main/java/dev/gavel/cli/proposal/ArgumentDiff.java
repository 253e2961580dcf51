package dev.gavel.cli.proposal;

import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares the parameters of a call as proposed and as made, one line per removed or added argument. */
public record ArgumentDiff(Json before, Json after) {
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.$/-]+");

    /** A removed, added or unchanged line, with the style to print it in. */
    public record DiffLine(TerminalStyle style, String text) {}

    /**
     * Returns one line per removed argument and one per added argument; changed multi-line texts are compared by line.
     */
    public List<DiffLine> lines() {
        Map<String, Json> old = labelled(before);
        Map<String, Json> now = labelled(after);
        List<DiffLine> lines = new ArrayList<>();
        var names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            Optional<Json> left = Optional.ofNullable(old.get(name));
            Optional<Json> right = Optional.ofNullable(now.get(name));
            String was = left.flatMap(ArgumentDiff::multiLineText).orElse("");
            String is = right.flatMap(ArgumentDiff::multiLineText).orElse("");
            if (!was.isEmpty() && !is.isEmpty() && !was.equals(is)) {
                lines.add(new DiffLine(TerminalStyle.PLAIN, "  " + name + ":"));
                lines.addAll(LineDiff.between(was, is));
            } else if (!left.equals(right)) {
                left.ifPresent(value -> lines.add(new DiffLine(TerminalStyle.BAD, "- " + argument(name, value))));
                right.ifPresent(value -> lines.add(new DiffLine(TerminalStyle.GOOD, "+ " + argument(name, value))));
            }
        }
        return lines;
    }

    private static Optional<String> multiLineText(Json value) {
        return value.asText().filter(text -> text.contains("\n"));
    }

    private static String argument(String name, Json value) {
        return name + ": " + SafeText.json(value.compact());
    }

    /**
     * Maps labels to values. The call's own fields get brackets; its arguments go by name alone, because people know
     * those. A name that could be mistaken for something else is quoted, so that no two labels are equal.
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

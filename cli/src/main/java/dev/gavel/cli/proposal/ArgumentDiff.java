package dev.gavel.cli.proposal;

import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the arguments of a proposed call with those that the reviewer sends, and lists the differences line by line.
 */
public record ArgumentDiff(Json before, Json after) {
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.$/-]+");

    /** A removed, added or unchanged line, with the style to print it in. */
    public record DiffLine(TerminalStyle style, String text) {}

    /**
     * Returns one line per removed argument and one per added argument; changed multi-line texts are compared by line.
     */
    public List<DiffLine> lines() {
        Map<String, Json> oldArguments = labelArguments(before);
        Map<String, Json> newArguments = labelArguments(after);
        List<DiffLine> lines = new ArrayList<>();
        var names = new TreeSet<>(oldArguments.keySet());
        names.addAll(newArguments.keySet());
        for (String name : names) {
            Optional<Json> oldValue = Optional.ofNullable(oldArguments.get(name));
            Optional<Json> newValue = Optional.ofNullable(newArguments.get(name));
            Optional<String> oldText = oldValue.flatMap(Json::asText);
            Optional<String> newText = newValue.flatMap(Json::asText);
            boolean multiLine =
                    Stream.concat(oldText.stream(), newText.stream()).anyMatch(text -> text.contains("\n"));
            if (multiLine && oldText.isPresent() && newText.isPresent() && !oldText.equals(newText)) {
                lines.add(new DiffLine(TerminalStyle.PLAIN, "  " + name + ":"));
                lines.addAll(LineDiff.between(oldText.get(), newText.get()));
            } else if (!oldValue.equals(newValue)) {
                oldValue.ifPresent(value -> lines.add(new DiffLine(TerminalStyle.BAD, "- " + argument(name, value))));
                newValue.ifPresent(value -> lines.add(new DiffLine(TerminalStyle.GOOD, "+ " + argument(name, value))));
            }
        }
        return lines;
    }

    private static String argument(String name, Json value) {
        return name + ": " + JsonTextLayout.line(value);
    }

    /**
     * Maps labels to values. The call's own fields get brackets; its arguments go by name alone, because people know
     * those. A name that could be mistaken for something else is quoted, so that no two labels are equal.
     */
    private static Map<String, Json> labelArguments(Json params) {
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

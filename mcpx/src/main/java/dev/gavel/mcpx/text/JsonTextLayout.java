package dev.gavel.mcpx.text;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lays out untrusted JSON for a person to read. Escapes in texts are decoded, hidden characters become escapes, and a
 * text of several lines takes several lines. Each of these lines begins with a bar, so that no line of a text looks like
 * a part of the JSON around it:
 *
 * <pre>
 * {
 *   "path": "notes.txt",
 *   "content": """
 *   │ first line
 *   │ second line
 *   """
 * }
 * </pre>
 *
 * Not thread-safe; each call uses its own instance.
 */
public final class JsonTextLayout {
    private static final String FENCE = "\"\"\"";
    private static final String BAR = "│ ";
    private static final String INDENT = "  ";

    private final List<Run> runs = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();

    private JsonTextLayout() {}

    /** Returns the value on several lines. */
    public static String lines(Json value) {
        return SafeText.join(lineRuns(value));
    }

    /** Returns the value on several lines, as parts. */
    public static List<Run> lineRuns(Json value) {
        JsonTextLayout layout = new JsonTextLayout();
        layout.print(value, "\n");
        return layout.finish();
    }

    /** Returns the value on one line, without whitespace; a line break in a text is shown as an escape. */
    public static String line(Json value) {
        return SafeText.join(lineRun(value));
    }

    /** Returns the value on one line, as parts. */
    public static List<Run> lineRun(Json value) {
        JsonTextLayout layout = new JsonTextLayout();
        layout.print(value, "");
        return layout.finish();
    }

    private List<Run> finish() {
        flush();
        return runs.isEmpty() ? List.of(new Run("", false)) : runs;
    }

    private void flush() {
        if (!plain.isEmpty()) {
            runs.add(new Run(plain.toString(), false));
            plain.setLength(0);
        }
    }

    private void addAll(List<Run> added) {
        for (Run run : added) {
            if (run.escaped()) {
                flush();
                runs.add(run);
            } else {
                plain.append(run.text());
            }
        }
    }

    /**
     * Adds a value.
     *
     * @param lineBreak a line break and the indentation of the line; empty to stay on one line
     */
    private void print(Json value, String lineBreak) {
        String inner = lineBreak.isEmpty() ? "" : lineBreak + INDENT;
        switch (value.type()) {
            case OBJECT -> {
                plain.append('{');
                String separator = "";
                for (Map.Entry<String, Json> member : value.members().entrySet()) {
                    plain.append(separator).append(inner);
                    addAll(SafeText.quotedRuns(member.getKey()));
                    plain.append(lineBreak.isEmpty() ? ":" : ": ");
                    print(member.getValue(), inner);
                    separator = ",";
                }
                plain.append(value.members().isEmpty() ? "" : lineBreak).append('}');
            }
            case ARRAY -> {
                plain.append('[');
                String separator = "";
                for (Json element : value.elements()) {
                    plain.append(separator).append(inner);
                    print(element, inner);
                    separator = ",";
                }
                plain.append(value.elements().isEmpty() ? "" : lineBreak).append(']');
            }
            case TEXT -> printText(value.text(), lineBreak);
            default -> plain.append(value.compact());
        }
    }

    private void printText(String text, String lineBreak) {
        if (lineBreak.isEmpty() || text.indexOf('\n') < 0) {
            addAll(SafeText.quotedRuns(text));
            return;
        }
        plain.append(FENCE);
        for (String line : text.split("\n", -1)) {
            plain.append(lineBreak).append(BAR);
            addAll(SafeText.lineRuns(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line));
        }
        plain.append(lineBreak).append(FENCE);
    }
}

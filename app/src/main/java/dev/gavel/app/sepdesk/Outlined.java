package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** Any answer as names and values, indented. Stateless. */
final class Outlined {
    private Outlined() {}

    static List<String> of(Json body) {
        List<String> lines = new ArrayList<>();
        write(body, "", lines);
        return lines;
    }

    private static void write(Json value, String indent, List<String> lines) {
        switch (value.type()) {
            case OBJECT ->
                value.members().forEach((name, member) -> {
                    if (scalar(member)) {
                        lines.add(indent + SafeText.line(name) + ": " + text(member));
                    } else {
                        lines.add(indent + SafeText.line(name) + ":");
                        write(member, indent + "  ", lines);
                    }
                });
            case ARRAY ->
                value.elements().forEach(element -> {
                    if (scalar(element)) {
                        lines.add(indent + "- " + text(element));
                    } else if (element.members().values().stream().allMatch(Outlined::scalar)) {
                        lines.add(indent + "- " + String.join(", ", of(element)));
                    } else {
                        lines.add(indent + "-");
                        write(element, indent + "  ", lines);
                    }
                });
            case TEXT, NUMBER, BOOLEAN, NULL, MISSING -> lines.add(indent + text(value));
        }
    }

    private static boolean scalar(Json value) {
        return value.type() != Json.Type.OBJECT && value.type() != Json.Type.ARRAY;
    }

    private static String text(Json value) {
        String text = SafeText.line(value.text());
        return text.isEmpty() ? Phrases.NONE : text;
    }
}

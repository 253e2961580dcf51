package dev.gavel.web.console.json;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.TextLineDiff;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares two JSON values and lists the changed values with their lines. Immutable.
 *
 * @param changes in the order of the first value
 * @param more whether there are further changes
 */
public record JsonDiff(List<Change> changes, boolean more) {
    private static final int MAX_CHANGES = 100;

    public JsonDiff {
        changes = List.copyOf(changes);
    }

    /**
     * A value that differs.
     *
     * @param path the path of the value; empty for the whole value
     * @param lines the removed and added lines, sanitized for display
     */
    public record Change(String path, ChangeType type, List<TextLineDiff.Line> lines) {
        public Change {
            lines = List.copyOf(lines);
        }
    }

    /** How a value changed. */
    public enum ChangeType {
        CHANGED("changed"),
        ADDED("added"),
        REMOVED("removed");

        private final String text;

        ChangeType(String word) {
            this.text = word;
        }

        public String text() {
            return text;
        }
    }

    /** Returns the changes that turn {@code before} into {@code after}. */
    public static JsonDiff between(Json before, Json after) {
        List<Change> changes = new ArrayList<>();
        compare(before, after, JsonValuePath.ROOT, changes);
        return changes.size() > MAX_CHANGES
                ? new JsonDiff(changes.subList(0, MAX_CHANGES), true)
                : new JsonDiff(changes, false);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    private static void compare(Json before, Json after, JsonValuePath path, List<Change> changes) {
        if (changes.size() > MAX_CHANGES || before.equals(after)) {
            return;
        }
        if (before.type() == Json.Type.OBJECT && after.type() == Json.Type.OBJECT) {
            Set<String> names = new LinkedHashSet<>(before.members().keySet());
            names.addAll(after.members().keySet());
            names.forEach(name -> compare(before.at(name), after.at(name), path.child(name), changes));
        } else if (before.type() == Json.Type.ARRAY && after.type() == Json.Type.ARRAY) {
            List<Json> old = before.elements();
            List<Json> other = after.elements();
            for (int i = 0; i < Math.max(old.size(), other.size()); i++) {
                Json nothing = Json.object().at("nothing");
                compare(
                        i < old.size() ? old.get(i) : nothing,
                        i < other.size() ? other.get(i) : nothing,
                        path.child(i),
                        changes);
            }
        } else {
            ChangeType changeType = !before.isPresent()
                    ? ChangeType.ADDED
                    : !after.isPresent() ? ChangeType.REMOVED : ChangeType.CHANGED;
            changes.add(new Change(
                    SafeText.line(path.toString()),
                    changeType,
                    TextLineDiff.between(displayLines(before, after), displayLines(after, before))));
        }
    }

    /** Returns a text as it is. If the other value is not a text, returns JSON, so that "1" and 1 look different. */
    private static List<String> displayLines(Json value, Json other) {
        if (!value.isPresent()) {
            return List.of();
        }
        boolean text = value.type() == Json.Type.TEXT && (other.type() == Json.Type.TEXT || !other.isPresent());
        return (text ? SafeText.lines(value.text()) : JsonTextLayout.lines(value))
                .lines()
                .toList();
    }
}

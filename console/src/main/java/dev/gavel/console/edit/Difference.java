package dev.gavel.console.edit;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How one JSON value differs from another, for people: value by value, long texts line by line. Immutable.
 *
 * @param changes in the order of the first value
 * @param more whether there are further ones
 */
public record Difference(List<Change> changes, boolean more) {
    private static final int MOST = 100;

    public Difference {
        changes = List.copyOf(changes);
    }

    /**
     * A value that differs.
     *
     * @param where its path; empty where it is all of it
     * @param lines what went and what came, fit to be shown
     */
    public record Change(String where, What what, List<Lines.Line> lines) {
        public Change {
            lines = List.copyOf(lines);
        }
    }

    /** What became of a value. */
    public enum What {
        CHANGED("changed"),
        ADDED("added"),
        REMOVED("removed");

        private final String word;

        What(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** What was changed in {@code before} to make {@code after} of it. */
    public static Difference between(Json before, Json after) {
        List<Change> changes = new ArrayList<>();
        compare(before, after, Path.ROOT, changes);
        return changes.size() > MOST ? new Difference(changes.subList(0, MOST), true) : new Difference(changes, false);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    private static void compare(Json before, Json after, Path path, List<Change> changes) {
        if (changes.size() > MOST || before.equals(after)) {
            return;
        }
        if (before.type() == Json.Type.OBJECT && after.type() == Json.Type.OBJECT) {
            Set<String> names = new LinkedHashSet<>(before.members().keySet());
            names.addAll(after.members().keySet());
            names.forEach(name -> compare(before.at(name), after.at(name), path.to(name), changes));
        } else if (before.type() == Json.Type.ARRAY && after.type() == Json.Type.ARRAY) {
            List<Json> old = before.elements();
            List<Json> other = after.elements();
            for (int i = 0; i < Math.max(old.size(), other.size()); i++) {
                Json nothing = Json.object().at("nothing");
                compare(
                        i < old.size() ? old.get(i) : nothing,
                        i < other.size() ? other.get(i) : nothing,
                        path.to(i),
                        changes);
            }
        } else {
            What what = !before.there() ? What.ADDED : !after.there() ? What.REMOVED : What.CHANGED;
            changes.add(new Change(
                    SafeText.line(path.toString()), what, Lines.between(shown(before, after), shown(after, before))));
        }
    }

    /** Texts as they are; where the other is none, as JSON, so that "1" and 1 are told apart. */
    private static List<String> shown(Json value, Json other) {
        if (!value.there()) {
            return List.of();
        }
        boolean text = value.type() == Json.Type.TEXT && (other.type() == Json.Type.TEXT || !other.there());
        return (text ? SafeText.lines(value.text()) : SafeText.json(value.pretty()))
                .lines()
                .toList();
    }
}

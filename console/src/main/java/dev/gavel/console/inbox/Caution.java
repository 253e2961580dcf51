package dev.gavel.console.inbox;

import dev.gavel.console.edit.Path;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Finds what somebody may overlook in what a tool is called with: where paths lead, and what cannot be seen. It is there to
 * draw the eye; that nothing is found means nothing. Stateless.
 */
final class Caution {
    private static final int MOST = 6;
    private static final int DEEPEST = 20;
    private static final int MOST_LOOKED_AT = 2_000;
    private static final int LONGEST_PATH = 400;
    private static final int LONGEST_SHOWN = 60;

    private static final Pattern UP = Pattern.compile("(^|[/\\\\])\\.\\.([/\\\\]|$)");
    private static final Pattern ABSOLUTE = Pattern.compile("^(/(?![/*])\\S|[A-Za-z]:[/\\\\]|\\\\\\\\|file:).*");
    private static final Pattern HOME = Pattern.compile("^~([/\\\\].*)?$");

    private Caution() {}

    /** What to look at twice. */
    static List<String> about(Json value) {
        List<String> found = new ArrayList<>();
        look(value, Path.ROOT, 0, new AtomicInteger(MOST_LOOKED_AT), found);
        return found;
    }

    /** Other people's texts are looked at by plain scans: some patterns take for ever on some of them. */
    private static boolean many(String text) {
        int star = text.indexOf('*');
        return star >= 0
                && text.indexOf(' ') < 0
                && (text.equals("*")
                        || text.startsWith("*.")
                        || text.startsWith("**")
                        || text.indexOf('/') >= 0
                        || text.indexOf('\\') >= 0);
    }

    private static void look(Json value, Path path, int depth, AtomicInteger left, List<String> found) {
        if (depth > DEEPEST || found.size() >= MOST || left.decrementAndGet() < 0) {
            return;
        }
        value.members().forEach((name, member) -> look(member, path.to(name), depth + 1, left, found));
        List<Json> elements = value.elements();
        for (int i = 0; i < elements.size() && left.get() > 0; i++) {
            look(elements.get(i), path.to(i), depth + 1, left, found);
        }
        value.ifText().ifPresent(text -> {
            if (found.size() < MOST) {
                text(text, path, found);
            }
        });
    }

    private static void text(String text, Path path, List<String> found) {
        String where = path.steps().isEmpty() ? "It" : SafeText.brief(path.toString(), LONGEST_SHOWN);
        if (text.length() <= LONGEST_PATH && text.indexOf('\n') < 0) {
            if (UP.matcher(text).find()) {
                found.add(where + " leads out of its folder, by \"..\"");
            } else if (ABSOLUTE.matcher(text).matches()) {
                found.add(where + " is a path from the root of the machine");
            } else if (HOME.matcher(text).matches()) {
                found.add(where + " is in somebody's home folder");
            }
            if (many(text)) {
                found.add(where + " may stand for many files, by \"*\"");
            }
        }
        if (!SafeText.lines(text).equals(text.replace("\r\n", "\n"))) {
            found.add(where + " has characters that cannot be seen; they are shown as escapes");
        }
    }
}

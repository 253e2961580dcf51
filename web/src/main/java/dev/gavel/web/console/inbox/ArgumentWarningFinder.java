package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.json.JsonValuePath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Finds risky values in a call's arguments, such as paths that leave their folder, wildcards and invisible characters.
 * The warnings only draw the reviewer's attention; their absence does not mean that the arguments are safe. Stateless.
 */
final class ArgumentWarningFinder {
    private static final int MAX_WARNINGS = 6;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_VALUES = 2_000;
    private static final int MAX_PATH_LENGTH = 400;
    private static final int MAX_SHOWN_LENGTH = 60;

    private static final Pattern UP = Pattern.compile("(^|[/\\\\])\\.\\.([/\\\\]|$)");
    private static final Pattern ABSOLUTE = Pattern.compile("^(/(?![/*])\\S|[A-Za-z]:[/\\\\]|\\\\\\\\|file:).*");
    private static final Pattern HOME = Pattern.compile("^~([/\\\\].*)?$");

    private ArgumentWarningFinder() {}

    /** Returns warnings about the values that a reviewer should read twice. */
    static List<String> find(Json value) {
        List<String> found = new ArrayList<>();
        scan(value, JsonValuePath.ROOT, 0, new AtomicInteger(MAX_VALUES), found);
        return found;
    }

    /**
     * Scans the text without a regular expression: the text is untrusted input, on which some expressions take very
     * long.
     */
    private static boolean hasWildcard(String text) {
        int star = text.indexOf('*');
        return star >= 0
                && text.indexOf(' ') < 0
                && (text.equals("*")
                        || text.startsWith("*.")
                        || text.startsWith("**")
                        || text.indexOf('/') >= 0
                        || text.indexOf('\\') >= 0);
    }

    private static void scan(Json value, JsonValuePath path, int depth, AtomicInteger left, List<String> found) {
        if (depth > MAX_DEPTH || found.size() >= MAX_WARNINGS || left.decrementAndGet() < 0) {
            return;
        }
        value.members().forEach((name, member) -> scan(member, path.child(name), depth + 1, left, found));
        List<Json> elements = value.elements();
        for (int i = 0; i < elements.size() && left.get() > 0; i++) {
            scan(elements.get(i), path.child(i), depth + 1, left, found);
        }
        value.asText().ifPresent(text -> {
            if (found.size() < MAX_WARNINGS) {
                checkText(text, path, found);
            }
        });
    }

    private static void checkText(String text, JsonValuePath path, List<String> found) {
        String where = path.steps().isEmpty() ? "The value" : SafeText.brief(path.toString(), MAX_SHOWN_LENGTH);
        if (text.length() <= MAX_PATH_LENGTH && text.indexOf('\n') < 0) {
            if (UP.matcher(text).find()) {
                found.add(where + " leaves its folder with \"..\"");
            } else if (ABSOLUTE.matcher(text).matches()) {
                found.add(where + " is an absolute path");
            } else if (HOME.matcher(text).matches()) {
                found.add(where + " is in a home folder");
            }
            if (hasWildcard(text)) {
                found.add(where + " can match many files with \"*\"");
            }
        }
        if (!SafeText.lines(text).equals(text.replace("\r\n", "\n"))) {
            found.add(where + " contains invisible characters, which are shown as escapes");
        }
    }
}

package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.LookalikeWordFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds values in a call's parameters that a reviewer must read with special care: hidden characters, words that mix
 * lookalike letters, paths that leave their folder, whole disks, and wildcards. The warnings only draw attention; their
 * absence does not mean that the call is safe. A warning must be rare, because reviewers stop reading warnings that
 * appear on most calls. Not thread-safe.
 */
final class ArgumentWarningFinder {
    private static final int MAX_WARNINGS = 6;
    private static final int MAX_PATH_LENGTH = 400;
    private static final int MAX_SHOWN_LENGTH = 60;

    private static final Pattern UP = Pattern.compile("(^|[/\\\\])\\.\\.([/\\\\]|$)");

    /** Characters of program text, in which ".." has other meanings. */
    private static final Pattern CODE = Pattern.compile("[\"'`(){}<>=;]");

    private static final Set<String> ROOTS =
            Set.of("/", "/*", "\\", "~", "~/", "~/*", "$HOME", "/home", "/root", "/Users");
    private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:[/\\\\]?\\*?");

    /** Whether the call can change something: a pattern is normal in a search, but not in a deletion. */
    private final boolean changing;

    private final Deque<String> path = new ArrayDeque<>();
    private final List<String> found = new ArrayList<>();
    private int omitted;

    private ArgumentWarningFinder(boolean changing) {
        this.changing = changing;
    }

    /**
     * The warnings about a call.
     *
     * @param omitted the number of further warnings
     */
    record Warnings(List<String> texts, int omitted) {
        Warnings {
            texts = List.copyOf(texts);
        }
    }

    /**
     * Finds the warnings about a call.
     *
     * @param changing whether the call can change something
     */
    static Warnings find(CallParameters parameters, boolean changing) {
        ArgumentWarningFinder finder = new ArgumentWarningFinder(changing);
        finder.checkCharacters("The name of the tool, prompt or resource", parameters.target());
        finder.scan(parameters.arguments());
        finder.scan(parameters.others());
        finder.checkMetadata(parameters.metadata());
        return new Warnings(finder.found, finder.omitted);
    }

    private void add(String warning) {
        if (found.size() < MAX_WARNINGS) {
            found.add(warning);
        } else {
            omitted++;
        }
    }

    private void scan(Json value) {
        for (Map.Entry<String, Json> member : value.members().entrySet()) {
            checkCharacters("The name of an argument", member.getKey());
            if (member.getKey().isEmpty()
                    || !member.getKey().equals(member.getKey().strip())) {
                add("The name of an argument "
                        + (member.getKey().isEmpty() ? "is empty" : "begins or ends with a space"));
            }
            path.addLast(path.isEmpty() ? member.getKey() : "." + member.getKey());
            scan(member.getValue());
            path.removeLast();
        }
        List<Json> elements = value.elements();
        for (int i = 0; i < elements.size(); i++) {
            path.addLast("[" + i + "]");
            scan(elements.get(i));
            path.removeLast();
        }
        value.asText().ifPresent(this::checkText);
    }

    /** Clients fill the metadata, so only hidden characters in it need a warning. */
    private void checkMetadata(Json metadata) {
        int hidden = countHidden(metadata);
        if (hidden > 0) {
            add("The metadata contains " + hiddenText(hidden));
        }
    }

    private static int countHidden(Json value) {
        int count = SafeText.countHidden(value.asText().orElse(""));
        for (Map.Entry<String, Json> member : value.members().entrySet()) {
            count += SafeText.countHidden(member.getKey()) + countHidden(member.getValue());
        }
        for (Json element : value.elements()) {
            count += countHidden(element);
        }
        return count;
    }

    private String where() {
        return path.isEmpty() ? "The value" : SafeText.brief(String.join("", path), MAX_SHOWN_LENGTH);
    }

    private void checkText(String text) {
        if (text.length() <= MAX_PATH_LENGTH && text.indexOf('\n') < 0) {
            if (UP.matcher(text).find() && !CODE.matcher(text).find()) {
                add(where() + " leaves its folder with \"..\"");
            }
            if (changing && (ROOTS.contains(text) || DRIVE.matcher(text).matches())) {
                add(where() + " is a whole disk or home folder");
            } else if (changing && hasWildcard(text)) {
                add(where() + " can match many files with \"*\"");
            }
        }
        checkCharacters(path.isEmpty() ? "" : where(), text);
    }

    /**
     * Scans the text without a regular expression: the text is untrusted input, on which some expressions take very
     * long.
     */
    private static boolean hasWildcard(String text) {
        return text.indexOf('*') >= 0
                && text.indexOf(' ') < 0
                && (text.equals("*") || text.startsWith("*.") || text.indexOf('/') >= 0 || text.indexOf('\\') >= 0);
    }

    private void checkCharacters(String where, String text) {
        String subject = where.isEmpty() ? "The value" : where;
        int hidden = SafeText.countHidden(text);
        if (hidden > 0) {
            add(subject + " contains " + hiddenText(hidden));
        }
        LookalikeWordFinder.find(text)
                .ifPresent(word -> add(subject + " mixes letters of different alphabets that look alike, in \""
                        + SafeText.brief(word, MAX_SHOWN_LENGTH) + "\""));
    }

    private static String hiddenText(int count) {
        return count == 1
                ? "1 hidden character or unusual space, shown as an escape"
                : count + " hidden characters or unusual spaces, shown as escapes";
    }
}

package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RedactionMarker;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.LookalikeWordFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
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

    private static final String LOOKALIKE_PROBLEM = "mixes letters of different alphabets that look alike";

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
     * Finds the warnings about a call. The warnings about a secret argument do not reveal its
     * value: they name only the argument and the kind of problem.
     *
     * @param parameters the parameters with their secret values
     * @param shown the parameters with markers in place of the secret values
     * @param changing whether the call can change something
     */
    static Warnings find(CallParameters parameters, CallParameters shown, boolean changing) {
        ArgumentWarningFinder finder = new ArgumentWarningFinder(changing);
        finder.checkCharacters("The name of the tool, prompt or resource", parameters.target());
        finder.scan(parameters.arguments(), shown.arguments());
        finder.scan(parameters.others(), shown.others());
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

    private void scan(Json value, Json shown) {
        if (RedactionMarker.isMarker(shown) && !value.equals(shown)) {
            Set<String> problems = new LinkedHashSet<>();
            collectProblems(value, problems);
            problems.forEach(problem -> add(where() + " (secret) " + problem));
            return;
        }
        Map<String, Json> shownMembers = shown.members();
        for (Map.Entry<String, Json> member : value.members().entrySet()) {
            checkCharacters("The name of an argument", member.getKey());
            if (member.getKey().isEmpty()
                    || !member.getKey().equals(member.getKey().strip())) {
                add("The name of an argument "
                        + (member.getKey().isEmpty() ? "is empty" : "begins or ends with a space"));
            }
            path.addLast(path.isEmpty() ? member.getKey() : "." + member.getKey());
            scan(member.getValue(), shownMembers.getOrDefault(member.getKey(), member.getValue()));
            path.removeLast();
        }
        List<Json> elements = value.elements();
        List<Json> shownElements = shown.elements();
        for (int i = 0; i < elements.size(); i++) {
            path.addLast("[" + i + "]");
            scan(elements.get(i), i < shownElements.size() ? shownElements.get(i) : elements.get(i));
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
        pathProblems(text).forEach(problem -> add(where() + " " + problem));
        checkCharacters(path.isEmpty() ? "" : where(), text);
    }

    private List<String> pathProblems(String text) {
        List<String> problems = new ArrayList<>();
        if (ParentFolderFinder.leavesFolder(text)) {
            problems.add("leaves its folder with \"..\"");
        }
        if (text.length() <= MAX_PATH_LENGTH && text.indexOf('\n') < 0) {
            if (changing && (ROOTS.contains(text) || DRIVE.matcher(text).matches())) {
                problems.add("is a whole disk or home folder");
            } else if (changing && hasWildcard(text)) {
                problems.add("can match many files with \"*\"");
            }
        }
        return problems;
    }

    /** Collects the kinds of problems of a secret value, without anything that the value contains. */
    private void collectProblems(Json value, Set<String> problems) {
        value.asText().ifPresent(text -> {
            problems.addAll(pathProblems(text));
            collectCharacterProblems(text, problems);
        });
        value.members().forEach((name, member) -> {
            collectCharacterProblems(name, problems);
            collectProblems(member, problems);
        });
        value.elements().forEach(element -> collectProblems(element, problems));
    }

    private static void collectCharacterProblems(String text, Set<String> problems) {
        if (SafeText.countHidden(text) > 0) {
            problems.add("contains hidden characters or unusual spaces");
        }
        if (LookalikeWordFinder.find(text).isPresent()) {
            problems.add(LOOKALIKE_PROBLEM);
        }
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
                .ifPresent(word -> add(
                        subject + " " + LOOKALIKE_PROBLEM + ", in \"" + SafeText.brief(word, MAX_SHOWN_LENGTH) + "\""));
    }

    private static String hiddenText(int count) {
        return count == 1
                ? "1 hidden character or unusual space, shown as an escape"
                : count + " hidden characters or unusual spaces, shown as escapes";
    }
}

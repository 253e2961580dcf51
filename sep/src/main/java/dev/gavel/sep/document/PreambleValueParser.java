package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the value of a preamble field: recognizes placeholders and extracts words, link targets and numbers.
 * Stateless.
 */
final class PreambleValueParser {
    private static final int MAX_LENGTH = 2_000;
    private static final int MOST_LINKS = 200;
    private static final Set<String> NOTHING = Set.of(
            "",
            "-",
            "--",
            "—",
            "–",
            "?",
            "??",
            "???",
            "tbd",
            "tba",
            "todo",
            "tbc",
            "none",
            "n/a",
            "na",
            "nil",
            "null",
            "~",
            "unknown",
            "unassigned",
            "unsponsored",
            "pending",
            "to be determined",
            "to be decided",
            "to be assigned",
            "to be announced",
            "to be filled",
            "to be added",
            "not yet",
            "none yet",
            "not assigned",
            "open",
            "no sponsor",
            "seeking sponsor",
            "seeking a sponsor",
            "seeking",
            "needed",
            "wanted",
            "looking for a sponsor",
            "looking for sponsor");
    private static final List<String> NOTHING_YET =
            List.of("to be ", "tbd ", "none ", "none,", "none;", "tbd,", "todo:", "n/a ");
    private static final Pattern LINK =
            Pattern.compile("\\[([^\\[\\]]{0,500})]\\(\\s*<?([^()\\s<>]{1,1000})>?[^()]{0,200}\\)");
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s<>\"'|]{1,1000}", Pattern.CASE_INSENSITIVE);
    private static final Pattern BRACES = Pattern.compile("\\{(\\d{1,9})}");
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{[^{}]{0,100}}|<[A-Za-z][^<>@:/]{0,60}>|\\b[XN]{3,9}\\b|\\?{2,}"
                    // A number that is not known yet: #N, #0000, pull/N, pull/0000
                    + "|(?:^#|/(?:pull|issues|discussions)/)(?:0{1,9}|[XxNn?]{1,9})(?![0-9A-Za-z_-])");
    private static final Pattern NUMBERS =
            Pattern.compile("#?\\d{1,9}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s+|;\\s*)#?\\d{1,9}){0,200}");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");

    private PreambleValueParser() {}

    /** Whether a value states that there is nothing, or nothing yet. */
    static boolean isPlaceholder(String value) {
        String word = value.strip().toLowerCase(Locale.ROOT);
        while (word.length() > 1 && "([{<_*'\"".indexOf(word.charAt(0)) >= 0) {
            word = word.substring(1).strip();
        }
        String begin = word;
        int note = word.indexOf('(');
        if (note > 0) {
            word = word.substring(0, note);
        }
        while (!word.isEmpty() && ")]}>_*'\".".indexOf(word.charAt(word.length() - 1)) >= 0) {
            word = word.substring(0, word.length() - 1);
        }
        return NOTHING.contains(word.strip()) || NOTHING_YET.stream().anyMatch(begin::startsWith);
    }

    /** Returns the value as text, the text of a link without its target; empty for a placeholder. */
    static Optional<String> text(String value) {
        String word = bounded(value);
        Matcher link = LINK.matcher(word);
        if (link.matches()) {
            word = link.group(1);
        }
        word = word.strip();
        return isPlaceholder(word) ? Optional.empty() : Optional.of(word);
    }

    /** Returns the target of a link, or the text if there is no link; empty for a placeholder. */
    static Optional<String> linkTarget(String value) {
        String all = bounded(value).strip();
        if (isPlaceholder(all)) {
            return Optional.empty();
        }
        all = BRACES.matcher(all).replaceAll("$1");
        Matcher link = LINK.matcher(all);
        String found = link.find() ? link.group(2) : all;
        Matcher address = ADDRESS.matcher(found);
        if (address.find()) {
            found = address.group();
            while (".,;)".indexOf(found.charAt(found.length() - 1)) >= 0) {
                found = found.substring(0, found.length() - 1);
            }
        }
        return PLACEHOLDER.matcher(found).find() || isPlaceholder(found) ? Optional.empty() : Optional.of(found);
    }

    /**
     * Returns the numbers of proposals in a value: those in references, or bare numbers if the value has nothing else.
     */
    static List<Integer> numbers(String value, Pattern reference) {
        String all = bounded(value).strip();
        List<Integer> found = new ArrayList<>();
        Matcher referenceMatcher = reference.matcher(all);
        while (referenceMatcher.find() && found.size() < MOST_LINKS) {
            add(found, referenceMatcher.group(1));
        }
        if (found.isEmpty() && NUMBERS.matcher(all).matches()) {
            Matcher number = DIGITS.matcher(all);
            while (number.find()) {
                add(found, number.group());
            }
        }
        return found;
    }

    /** Replaces each link by its text. */
    static String withoutLinks(String words) {
        return LINK.matcher(words).replaceAll(link -> Matcher.quoteReplacement(link.group(1)));
    }

    private static void add(List<Integer> found, String digits) {
        int number = Integer.parseInt(digits);
        if (number > 0 && !found.contains(number)) {
            found.add(number);
        }
    }

    private static String bounded(String value) {
        return value.length() > MAX_LENGTH ? value.substring(0, MAX_LENGTH) : value;
    }
}

package dev.gavel.web.console.sep;

import java.util.stream.Collectors;

/**
 * Capitalizes texts, adds full stops, joins lines and forms counts with singular or plural for the sentences on SEP pages.
 * Stateless.
 */
public final class EnglishTextFormatter {
    private EnglishTextFormatter() {}

    public static String capitalize(String words) {
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    public static String uncapitalize(String words) {
        return words.isEmpty() ? words : Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }

    /** Adds a full stop, unless the text already ends like a sentence. */
    public static String withFullStop(String words) {
        return words.isEmpty() || ".!?…".indexOf(words.charAt(words.length() - 1)) >= 0 ? words : words + ".";
    }

    /** Joins the lines of a text with spaces, so that it fits where only one line is shown. */
    public static String joinLines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining(" "));
    }

    /** Formats a count with its noun. */
    public static String count(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}

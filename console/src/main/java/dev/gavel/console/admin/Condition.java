package dev.gavel.console.admin;

import java.util.Locale;

/**
 * How something is: in words, and how it looks.
 *
 * @param words so that the look is never the only sign
 */
public record Condition(Look look, String words) {
    /** How it looks. */
    public enum Look {
        GOOD,
        BAD,
        WARN,
        QUIET;

        /** What style sheets call it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static Condition good(String words) {
        return new Condition(Look.GOOD, words);
    }

    public static Condition bad(String words) {
        return new Condition(Look.BAD, words);
    }

    public static Condition warn(String words) {
        return new Condition(Look.WARN, words);
    }

    public static Condition quiet(String words) {
        return new Condition(Look.QUIET, words);
    }
}

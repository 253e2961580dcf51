package dev.gavel.mcpx;

import java.util.regex.Pattern;

/**
 * The name of a topic: small letters, digits, {@code _}, {@code -}, divided by single dots. Immutable.
 *
 * @param value the name itself
 */
public record TopicName(String value) {
    private static final Pattern RULE = Pattern.compile("[a-z0-9]([a-z0-9_-]|\\.[a-z0-9_-]){0,63}");
    private static final int LONGEST = 1 + 2 * 63;

    public TopicName {
        if (!valid(value)) {
            throw new IllegalArgumentException(problem(value));
        }
    }

    /** Reads a name. */
    public static Parsed<TopicName> parse(String text) {
        return valid(text) ? new Parsed.Valid<>(new TopicName(text)) : new Parsed.Invalid<>(problem(text));
    }

    private static boolean valid(String text) {
        return text.length() <= LONGEST && RULE.matcher(text).matches();
    }

    private static String problem(String text) {
        return "topic " + Excerpt.of(text)
                + " must begin with a small letter or digit and go on with at most 63 of these,"
                + " '_' and '-', divided by single dots";
    }

    @Override
    public String toString() {
        return value;
    }
}

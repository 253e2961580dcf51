package dev.gavel.mcpx;

import java.util.regex.Pattern;

/** The validated name of a topic: lower-case letters, digits, _ and -, separated by single dots. Immutable. */
public record TopicName(String value) {
    private static final Pattern RULE = Pattern.compile("[a-z0-9]([a-z0-9_-]|\\.[a-z0-9_-]){0,63}");
    private static final int MAX_LENGTH = 1 + 2 * 63;

    public TopicName {
        if (!isValid(value)) {
            throw new IllegalArgumentException(problem(value));
        }
    }

    /** Parses a topic name. */
    public static ValueParseResult<TopicName> parse(String text) {
        return isValid(text)
                ? new ValueParseResult.Valid<>(new TopicName(text))
                : new ValueParseResult.Invalid<>(problem(text));
    }

    private static boolean isValid(String text) {
        return text.length() <= MAX_LENGTH && RULE.matcher(text).matches();
    }

    private static String problem(String text) {
        return "topic " + InputExcerptFormatter.quote(text)
                + " must begin with a lower-case letter or digit, followed by at most 63 lower-case letters, digits,"
                + " '_' and '-', with single dots between them";
    }

    @Override
    public String toString() {
        return value;
    }
}

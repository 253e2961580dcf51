package dev.gavel.mcpx;

/** Shortens and cleans untrusted input so that it can be quoted in error messages. */
public final class InputExcerptFormatter {
    private static final int MAX_LENGTH = 64;

    private InputExcerptFormatter() {}

    /**
     * Returns the text in single quotes, truncated to a bounded length, with control characters and unpaired surrogates
     * replaced by '?'.
     */
    public static String quote(CharSequence text) {
        var excerpt = new StringBuilder(MAX_LENGTH + 5).append('\'');
        append(excerpt, text, MAX_LENGTH);
        return excerpt.append('\'').toString();
    }

    /** Returns the text without quotes, truncated and cleaned in the same way. */
    static String unquoted(CharSequence text, int maxLength) {
        var excerpt = new StringBuilder();
        append(excerpt, text, maxLength);
        return excerpt.toString();
    }

    private static void append(StringBuilder excerpt, CharSequence text, int maxLength) {
        int end = Math.min(text.length(), maxLength);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                excerpt.append(c).append(text.charAt(++i));
            } else {
                excerpt.append(isUnsafe(c) ? '?' : c);
            }
        }
        if (end < text.length()) {
            excerpt.append("...");
        }
    }

    private static boolean isUnsafe(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}

package dev.gavel.mcpx;

/** Shortens and escapes untrusted input so that it can be quoted in error messages. */
public final class InputExcerpt {
    private static final int MAX_LENGTH = 64;

    private InputExcerpt() {}

    /**
     * Returns the text in single quotes, truncated to a bounded length, with control characters and unpaired surrogates
     * replaced by '?'.
     */
    public static String quote(CharSequence text) {
        var shown = new StringBuilder(MAX_LENGTH + 5).append('\'');
        append(shown, text, MAX_LENGTH);
        return shown.append('\'').toString();
    }

    /** Returns the text without quotes, truncated and cleaned in the same way. */
    static String unquoted(CharSequence text, int longest) {
        var shown = new StringBuilder();
        append(shown, text, longest);
        return shown.toString();
    }

    private static void append(StringBuilder shown, CharSequence text, int longest) {
        int end = Math.min(text.length(), longest);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                shown.append(c).append(text.charAt(++i));
            } else {
                shown.append(isUnsafe(c) ? '?' : c);
            }
        }
        if (end < text.length()) {
            shown.append("...");
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

package dev.gavel.mcpx;

/** A harmless, bounded piece of what a stranger sent, fit to stand in a message. */
public final class Excerpt {
    private static final int LONGEST = 64;

    private Excerpt() {}

    /** The text in single quotes, cut to a bounded length, control characters and broken surrogates shown as '?'. */
    public static String of(CharSequence text) {
        var shown = new StringBuilder(LONGEST + 5).append('\'');
        append(shown, text, LONGEST);
        return shown.append('\'').toString();
    }

    /** The text without quotes, bounded and cleaned in the same way. */
    static String plain(CharSequence text, int longest) {
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
                shown.append(unsafe(c) ? '?' : c);
            }
        }
        if (end < text.length()) {
            shown.append("...");
        }
    }

    private static boolean unsafe(char c) {
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

package dev.gavel.mcpx.text;

import java.util.Locale;

/**
 * Escapes control, bidirectional and invisible characters in untrusted text before it is shown to a person. Escape
 * sequences and carriage returns could control a terminal; bidirectional and invisible characters could make one text
 * look like another. Stateless.
 */
public final class SafeText {
    private SafeText() {}

    /** Returns the text on one line; line breaks are escaped too. */
    public static String line(String text) {
        return escapeUnsafe(text, false);
    }

    /** Returns the text with its line breaks. */
    public static String lines(String text) {
        return escapeUnsafe(text.replace("\r\n", "\n"), true);
    }

    /**
     * Returns JSON with its original layout; unsafe characters become JSON escapes, so that the value stays the same.
     */
    public static String json(String json) {
        StringBuilder safe = new StringBuilder(json.length());
        // Control characters occur in JSON only between values, where they mean nothing; a carriage return would let a
        // terminal overwrite the line.
        json.codePoints().forEach(each -> {
            if (each == '\r') {
                safe.append(' ');
            } else if (each == '\n' || each == '\t' || !isUnsafe(each)) {
                safe.appendCodePoint(each);
            } else {
                for (char half : Character.toChars(each)) {
                    safe.append(unicode(half));
                }
            }
        });
        return safe.toString();
    }

    /** Returns the text on one line, truncated to a maximum number of characters. */
    public static String brief(String text, int maxLength) {
        String line = line(text);
        int length = line.codePointCount(0, line.length());
        return length <= maxLength
                ? line
                : line.substring(0, line.offsetByCodePoints(0, Math.max(0, maxLength - 1))) + "…";
    }

    private static String escapeUnsafe(String text, boolean severalLines) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(each -> {
            if (!isUnsafe(each) || (severalLines && (each == '\n' || each == '\t'))) {
                safe.appendCodePoint(each);
            } else {
                safe.append(escape(each));
            }
        });
        return safe.toString();
    }

    private static String escape(int character) {
        return switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                Character.isBmpCodePoint(character)
                        ? unicode((char) character)
                        : String.format(Locale.ROOT, "\\u{%x}", character);
        };
    }

    private static String unicode(char character) {
        return String.format(Locale.ROOT, "\\u%04x", (int) character);
    }

    /** Letters and marks without a visible form, or that look like a space: they could make two names look alike. */
    private static boolean isInvisible(int character) {
        return character == 0x115F
                || character == 0x1160
                || character == 0x17B4
                || character == 0x17B5
                || character == 0x2800
                || character == 0x3164
                || character == 0xFFA0
                || (character >= 0x180B && character <= 0x180F)
                || (character >= 0xFE00 && character <= 0xFE0F)
                || (character >= 0xE0100 && character <= 0xE01EF);
    }

    private static boolean isUnsafe(int character) {
        return isInvisible(character)
                || switch (Character.getType(character)) {
                    // CONTROL covers C0, DEL and C1; FORMAT covers direction marks, zero-width characters, tags and
                    // similar.
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }
}

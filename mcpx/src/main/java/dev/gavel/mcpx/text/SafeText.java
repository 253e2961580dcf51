package dev.gavel.mcpx.text;

import java.util.Locale;

/**
 * Escapes control, bidirectional and invisible characters in untrusted text before it is shown to a person. What a
 * terminal would obey instead of show (escape sequences, carriage returns) and what would make a text look like another
 * (marks that turn the direction of writing, invisible characters) is shown as an escape. Stateless.
 */
public final class SafeText {
    private SafeText() {}

    /** On one line: line breaks are shown as escapes too. */
    public static String line(String text) {
        return escapeUnsafe(text, false);
    }

    /** On as many lines as it has. */
    public static String lines(String text) {
        return escapeUnsafe(text.replace("\r\n", "\n"), true);
    }

    /** JSON as it was written; the escapes are JSON's own, so that it means the same to whoever reads it. */
    public static String json(String json) {
        StringBuilder safe = new StringBuilder(json.length());
        // JSON has line breaks and the like between its values only, where they mean nothing; one of them would let a
        // terminal write over the line.
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

    /** At most so many characters, on one line. */
    public static String brief(String text, int longest) {
        String line = line(text);
        int length = line.codePointCount(0, line.length());
        return length <= longest ? line : line.substring(0, line.offsetByCodePoints(0, Math.max(0, longest - 1))) + "…";
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

    /** Letters and marks that fill no space, or look like one: with them two names could look alike. */
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
                    // Control is C0, DEL and C1; format is direction marks, zero widths, tags and the like.
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }
}

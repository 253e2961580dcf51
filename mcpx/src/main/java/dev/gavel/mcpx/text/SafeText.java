package dev.gavel.mcpx.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Escapes control, bidirectional and invisible characters in untrusted text before it is shown to a person. Escape
 * sequences and carriage returns could control a terminal; bidirectional and invisible characters could make one text
 * look like another. Stateless.
 */
public final class SafeText {
    private SafeText() {}

    /**
     * A part of a text that is ready to be shown.
     *
     * @param escaped whether the part stands for characters that could not be shown as they are
     */
    public record Run(String text, boolean escaped) {}

    /** How a text is shown. */
    private enum Form {
        LINE,
        LINES,
        /** JSON, in which a text is already escaped. */
        JSON,
        /** The content of a JSON text, which is not escaped yet. */
        QUOTED
    }

    /** Returns the text on one line; line breaks are escaped too. */
    public static String line(String text) {
        return join(runs(text, Form.LINE));
    }

    /** Returns the text with its line breaks. */
    public static String lines(String text) {
        return join(runs(text, Form.LINES));
    }

    /**
     * Returns JSON with its original layout; unsafe characters become JSON escapes, so that the value stays the same.
     */
    public static String json(String json) {
        return join(runs(json, Form.JSON));
    }

    /** Returns the text with its line breaks, as parts. */
    public static List<Run> lineRuns(String text) {
        return runs(text, Form.LINES);
    }

    /** Returns the text as a JSON text in quotes, as parts. */
    static List<Run> quotedRuns(String text) {
        List<Run> runs = new ArrayList<>();
        runs.add(new Run("\"", false));
        runs.addAll(runs(text, Form.QUOTED));
        runs.add(new Run("\"", false));
        return runs;
    }

    /** Returns the text of these parts. */
    public static String join(List<Run> runs) {
        if (runs.size() == 1) {
            return runs.getFirst().text();
        }
        StringBuilder text = new StringBuilder();
        runs.forEach(run -> text.append(run.text()));
        return text.toString();
    }

    /**
     * Returns a name on one line, in quotes if it could be misread: if it is empty, or contains spaces, quotes or an
     * equals sign.
     */
    public static String name(String name) {
        boolean plain = !name.isEmpty()
                && name.chars()
                        .noneMatch(each -> each == '"' || each == '\'' || each == '=' || Character.isWhitespace(each));
        return plain ? line(name) : '"' + line(name.replace("\"", "\\\"")) + '"';
    }

    /**
     * Returns an id, a kind or a URI on one line, in quotes if it contains spaces, so that no part of it looks like the
     * text after it.
     */
    public static String word(String word) {
        return word.chars().anyMatch(Character::isWhitespace) ? name(word) : line(word);
    }

    /** Returns the text on one line, truncated to a maximum number of characters. */
    public static String brief(String text, int maxLength) {
        String line = line(text);
        int length = line.codePointCount(0, line.length());
        return length <= maxLength
                ? line
                : line.substring(0, line.offsetByCodePoints(0, Math.max(0, maxLength - 1))) + "…";
    }

    /** Returns the text on one line, truncated as by {@link #brief}, with the number of characters left out. */
    public static String excerpt(String text, int maxLength) {
        String line = line(text);
        int length = line.codePointCount(0, line.length());
        return length <= maxLength
                ? line
                : line.substring(0, line.offsetByCodePoints(0, maxLength))
                        + String.format(Locale.ROOT, "… (%,d more characters)", length - maxLength);
    }

    /**
     * Returns the beginning and the end of a text that is longer than the maximum, with the number of characters
     * between them, so that neither end can be hidden. The text is not sanitized.
     */
    public static String shortenMiddle(String text, int maxLength) {
        int length = text.codePointCount(0, text.length());
        if (length <= maxLength) {
            return text;
        }
        int half = maxLength / 2;
        return text.substring(0, text.offsetByCodePoints(0, half))
                + String.format(Locale.ROOT, " … (%,d characters not shown) … ", length - 2 * half)
                + text.substring(text.offsetByCodePoints(text.length(), -half));
    }

    /** Returns how many characters of a text are hidden, and shown as escapes. Line breaks and tabs do not count. */
    public static int countHidden(String text) {
        int count = 0;
        int at = indexOfHidden(text, 0);
        while (at >= 0) {
            count++;
            at = indexOfHidden(text, at + Character.charCount(text.codePointAt(at)));
        }
        return count;
    }

    /** Returns the index of the first hidden character from an index on; -1 if there is none. */
    public static int indexOfHidden(String text, int from) {
        for (int at = from; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            char first = text.charAt(at);
            boolean layout = first == '\n' || first == '\t' || isLineBreak(text, at);
            if (!layout && HiddenCharacterDetector.isHidden(text, at)) {
                return at;
            }
        }
        return -1;
    }

    private static List<Run> runs(String text, Form form) {
        List<Run> runs = new ArrayList<>();
        StringBuilder plain = new StringBuilder(text.length());
        int next;
        for (int at = 0; at < text.length(); at = next) {
            int character = text.codePointAt(at);
            next = at + Character.charCount(character);
            if (form == Form.LINES && isLineBreak(text, at)) {
                // Two characters, shown as one line break.
                continue;
            }
            if (form == Form.JSON && character == '\r') {
                // Occurs in JSON only between values, where it means nothing; a terminal would overwrite the line.
                plain.append(' ');
            } else if (form == Form.QUOTED && (character == '"' || character == '\\')) {
                plain.append('\\').appendCodePoint(character);
            } else if (form == Form.QUOTED && (character == '\n' || character == '\t')) {
                plain.append(escape(character));
            } else if (isLayout(character, form) || !HiddenCharacterDetector.isHidden(text, at)) {
                plain.appendCodePoint(character);
            } else {
                if (!plain.isEmpty()) {
                    runs.add(new Run(plain.toString(), false));
                    plain.setLength(0);
                }
                boolean json = form == Form.JSON || (form == Form.QUOTED && character != '\r');
                runs.add(new Run(json ? jsonEscape(character) : escape(character), true));
            }
        }
        if (!plain.isEmpty() || runs.isEmpty()) {
            runs.add(new Run(plain.toString(), false));
        }
        return runs;
    }

    private static boolean isLayout(int character, Form form) {
        return (form == Form.LINES || form == Form.JSON) && (character == '\n' || character == '\t');
    }

    /** Whether a line break of two characters begins here. */
    private static boolean isLineBreak(String text, int index) {
        return text.charAt(index) == '\r' && index + 1 < text.length() && text.charAt(index + 1) == '\n';
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

    private static String jsonEscape(int character) {
        StringBuilder escaped = new StringBuilder();
        for (char half : Character.toChars(character)) {
            escaped.append(unicode(half));
        }
        return escaped.toString();
    }

    private static String unicode(char character) {
        return String.format(Locale.ROOT, "\\u%04x", (int) character);
    }
}

package dev.gavel.mcpx.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Measures, wraps and truncates text by the columns it takes on a terminal; wide characters count twice, colour codes
 * not at all. Stateless.
 */
public final class DisplayWidth {
    private static final int ESCAPE = 0x1b;

    /** Combining accents take no column of their own; other marks take one on some terminals. */
    private static final int FIRST_ACCENT = 0x300;

    private static final int LAST_ACCENT = 0x36f;

    /** The first wide characters. */
    private static final int HANGUL = 0x1100;

    /** From here on: more Latin and Greek, then punctuation, currency signs, arrows and mathematical operators. */
    private static final int LATIN_ADDITIONAL = 0x1e00;

    private static final int MATHEMATICS = 0x22ff;
    private static final int BOXES = 0x2500;
    private static final int BLOCKS = 0x259f;
    private static final String LINE_BREAK = "\\n";
    private static final String END_OF_COLOUR = "\u001b[0m";

    private DisplayWidth() {}

    /** The number of columns that a text takes; colour codes take none. */
    public static int of(String text) {
        int columns = 0;
        for (int at = 0; at < text.length(); at = next(text, at)) {
            columns += columnsAt(text, at);
        }
        return columns;
    }

    /**
     * Wraps the text into lines of at most this many columns. Breaks after a space if one is near, and after a line
     * break that is shown as an escape. Loses no characters. Colours continue on the next line.
     */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String colour = "";
        int start = 0;
        while (start < text.length()) {
            int end = endOfLine(text, start, width);
            String piece = text.substring(start, end);
            String before = colour;
            colour = lastColour(piece, colour);
            lines.add(before + piece + (colour.isEmpty() ? "" : END_OF_COLOUR));
            start = end;
        }
        return lines.isEmpty() ? List.of("") : lines;
    }

    /** The end of the line that begins at this index. */
    private static int endOfLine(String text, int start, int width) {
        int columns = 0;
        int space = -1;
        for (int at = start; at < text.length(); at = next(text, at)) {
            columns += columnsAt(text, at);
            if (columns > width && at > start) {
                // Breaking a long word is better than leaving most of the line empty.
                return space - start > width / 2 ? space : at;
            }
            if (text.charAt(at) == ' ') {
                space = at + 1;
            } else if (text.startsWith(LINE_BREAK, at) && at + 4 < text.length() && columns < width) {
                return at + LINE_BREAK.length();
            }
        }
        return text.length();
    }

    private static String lastColour(String piece, String before) {
        int at = piece.lastIndexOf(ESCAPE);
        if (at < 0) {
            return before;
        }
        String colour = piece.substring(at, next(piece, at));
        return colour.equals(END_OF_COLOUR) ? "" : colour;
    }

    /** Returns the text, or as much of its start as fits, followed by an ellipsis. */
    public static String truncate(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        StringBuilder truncated = new StringBuilder();
        int columns = 0;
        for (int at = 0; at < text.length(); at = next(text, at)) {
            columns += columnsAt(text, at);
            if (columns > width - 1) {
                break;
            }
            truncated.append(text, at, next(text, at));
        }
        return truncated + "…";
    }

    private static int next(String text, int at) {
        if (text.charAt(at) == ESCAPE) {
            int end = text.indexOf('m', at);
            return end < 0 ? text.length() : end + 1;
        }
        return at + Character.charCount(text.codePointAt(at));
    }

    private static int columnsAt(String text, int at) {
        int character = text.codePointAt(at);
        if (character == ESCAPE) {
            return 0;
        }
        if (character >= FIRST_ACCENT && character <= LAST_ACCENT) {
            return 0;
        }
        return isNarrow(character) ? 1 : 2;
    }

    /**
     * Whether every terminal shows the character in one column. Terminals disagree on all other characters, so those
     * count as wide: a line break that is too early loses nothing, one that is too late does.
     */
    private static boolean isNarrow(int character) {
        return character < HANGUL
                || (character >= LATIN_ADDITIONAL && character <= MATHEMATICS && !Character.isEmoji(character))
                || (character >= BOXES && character <= BLOCKS);
    }
}

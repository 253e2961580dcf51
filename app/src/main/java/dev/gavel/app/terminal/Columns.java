package dev.gavel.app.terminal;

import java.util.ArrayList;
import java.util.List;

/** How much room texts take on a terminal, where some characters take two places and some none. Stateless. */
public final class Columns {
    private static final int ESCAPE = 0x1b;
    private static final String LINE_BREAK = "\\n";
    private static final String END_OF_COLOUR = "\u001b[0m";

    private Columns() {}

    /** How many places a text takes; what only sets its colour takes none. */
    public static int of(String text) {
        int columns = 0;
        for (int at = 0; at < text.length(); at = next(text, at)) {
            columns += at(text, at);
        }
        return columns;
    }

    /**
     * The text in pieces of at most so many places, broken after a space where one is near, and after a line break that
     * is shown as an escape; nothing of it is lost. Colours go on in the next piece.
     */
    public static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        String colour = "";
        int start = 0;
        while (start < text.length()) {
            int end = fitting(text, start, width);
            String piece = text.substring(start, end);
            String before = colour;
            colour = lastColour(piece, colour);
            lines.add(before + piece + (colour.isEmpty() ? "" : END_OF_COLOUR));
            start = end;
        }
        return lines.isEmpty() ? List.of("") : lines;
    }

    /** How far a piece that begins there reaches. */
    private static int fitting(String text, int start, int width) {
        int columns = 0;
        int space = -1;
        for (int at = start; at < text.length(); at = next(text, at)) {
            columns += at(text, at);
            if (columns > width && at > start) {
                // A long word is rather broken than left to a line of its own.
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

    /** As much of the beginning as fits, and a mark where that is not all. */
    public static String cut(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int columns = 0;
        for (int at = 0; at < text.length(); at = next(text, at)) {
            columns += at(text, at);
            if (columns > width - 1) {
                break;
            }
            kept.append(text, at, next(text, at));
        }
        return kept + "…";
    }

    private static int next(String text, int at) {
        if (text.charAt(at) == ESCAPE) {
            int end = text.indexOf('m', at);
            return end < 0 ? text.length() : end + 1;
        }
        return at + Character.charCount(text.codePointAt(at));
    }

    private static int at(String text, int at) {
        int character = text.codePointAt(at);
        if (character == ESCAPE) {
            return 0;
        }
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default -> wide(character) ? 2 : 1;
        };
    }

    /** East Asian characters that are as wide as high, and pictures. */
    private static boolean wide(int character) {
        return character >= 0x1100
                && (character <= 0x115f
                        || (character >= 0x2e80 && character <= 0xa4cf && character != 0x303f)
                        || (character >= 0xac00 && character <= 0xd7a3)
                        || (character >= 0xf900 && character <= 0xfaff)
                        || (character >= 0xfe30 && character <= 0xfe6f)
                        || (character >= 0xff01 && character <= 0xff60)
                        || (character >= 0xffe0 && character <= 0xffe6)
                        || (character >= 0x1f300 && character <= 0x1f64f)
                        || (character >= 0x1f680 && character <= 0x1faff)
                        || (character >= 0x20000 && character <= 0x3fffd));
    }
}

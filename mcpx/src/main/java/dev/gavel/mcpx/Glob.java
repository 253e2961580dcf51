package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;

/**
 * A compiled text pattern in which * matches any run of characters, matched in linear time. Linear means in the length
 * of text and pattern together, for any input: the pieces between stars are searched one after the other with the
 * Knuth-Morris-Pratt algorithm, and the leftmost match of each is final, so there is no backtracking. Immutable.
 */
final class Glob {
    private final String pattern;
    private final boolean hasWildcard;
    private final String prefix;
    private final String suffix;
    private final List<Piece> middlePieces;
    private final int minLength;

    private Glob(String pattern, boolean hasWildcard, String prefix, String suffix, List<Piece> middlePieces) {
        this.pattern = pattern;
        this.hasWildcard = hasWildcard;
        this.prefix = prefix;
        this.suffix = suffix;
        this.middlePieces = middlePieces;
        this.minLength = prefix.length() + suffix.length();
    }

    static Glob compile(String pattern) {
        int first = pattern.indexOf('*');
        if (first < 0) {
            return new Glob(pattern, false, pattern, "", List.of());
        }
        int last = pattern.lastIndexOf('*');
        var middlePieces = new ArrayList<Piece>();
        for (int start = first + 1; start < last; ) {
            int end = pattern.indexOf('*', start);
            if (end > start) {
                middlePieces.add(Piece.of(pattern.substring(start, end)));
            }
            start = end + 1;
        }
        return new Glob(
                pattern, true, pattern.substring(0, first), pattern.substring(last + 1), List.copyOf(middlePieces));
    }

    boolean hasWildcard() {
        return hasWildcard;
    }

    String pattern() {
        return pattern;
    }

    boolean matches(CharSequence text) {
        if (!hasWildcard) {
            return prefix.contentEquals(text);
        }
        int end = text.length() - suffix.length();
        if (text.length() < minLength || !startsAt(text, 0, prefix) || !startsAt(text, end, suffix)) {
            return false;
        }
        int from = prefix.length();
        for (int i = 0; i < middlePieces.size(); i++) {
            from = middlePieces.get(i).endOfFirstMatch(text, from, end);
            if (from < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean startsAt(CharSequence text, int start, String part) {
        for (int i = 0; i < part.length(); i++) {
            if (text.charAt(start + i) != part.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The text between two stars, with the failure function of the Knuth-Morris-Pratt search. */
    private static final class Piece {
        private final char[] chars;
        private final int[] borders;

        private Piece(char[] chars, int[] borders) {
            this.chars = chars;
            this.borders = borders;
        }

        static Piece of(String text) {
            char[] chars = text.toCharArray();
            int[] borders = new int[chars.length];
            int border = 0;
            for (int i = 1; i < chars.length; i++) {
                while (border > 0 && chars[i] != chars[border]) {
                    border = borders[border - 1];
                }
                if (chars[i] == chars[border]) {
                    border++;
                }
                borders[i] = border;
            }
            return new Piece(chars, borders);
        }

        /** The index after the first occurrence between start and end, or -1. */
        int endOfFirstMatch(CharSequence text, int start, int end) {
            int matched = 0;
            for (int i = start; i < end; i++) {
                char c = text.charAt(i);
                while (matched > 0 && chars[matched] != c) {
                    matched = borders[matched - 1];
                }
                if (chars[matched] == c && ++matched == chars.length) {
                    return i + 1;
                }
            }
            return -1;
        }
    }
}

package dev.gavel.mcpx;

/**
 * Detects path traversal segments (..) in a text, even percent-encoded ones, so that wildcards match no path outside
 * their folder. Recognizes dots and slashes that are percent-encoded, even several times. The characters that end a
 * path in a URL also end a segment. Skips line breaks and tabs, because URL parsers drop them.
 */
final class DotSegmentDetector {
    private static final char NONE = '\0';

    private DotSegmentDetector() {}

    static boolean containsDotSegment(CharSequence text) {
        int dots = 0;
        boolean onlyDots = true;
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            at++;
            if (c == '%') {
                int code = at;
                while (hasCharsAt(text, code, '2', '5')) {
                    code += 2;
                }
                char encoded = decodeAt(text, code);
                if (encoded != NONE) {
                    c = encoded;
                    at = code + 2;
                }
            }
            switch (c) {
                case '.' -> dots++;
                case '/', '\\', '?', '#', ';' -> {
                    if (onlyDots && dots == 2) {
                        return true;
                    }
                    dots = 0;
                    onlyDots = true;
                }
                case '\t', '\n', '\r' -> {}
                default -> onlyDots = false;
            }
        }
        return onlyDots && dots == 2;
    }

    private static char decodeAt(CharSequence text, int at) {
        if (hasCharsAt(text, at, '2', 'e')) {
            return '.';
        }
        if (hasCharsAt(text, at, '2', 'f')) {
            return '/';
        }
        return hasCharsAt(text, at, '5', 'c') ? '\\' : NONE;
    }

    private static boolean hasCharsAt(CharSequence text, int at, char first, char second) {
        return at + 1 < text.length()
                && text.charAt(at) == first
                && Character.toLowerCase(text.charAt(at + 1)) == second;
    }
}

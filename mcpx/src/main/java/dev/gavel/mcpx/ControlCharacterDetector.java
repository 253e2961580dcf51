package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * Detects control characters in names, URIs and values that patterns are matched against. Programs in C end a text at
 * NUL, and URL parsers drop control characters, so the receiver could read another value than the one that matched.
 * Stateless.
 */
final class ControlCharacterDetector {
    private ControlCharacterDetector() {}

    /** Whether a name or URI contains a control character. Neither ever needs one. */
    static boolean inName(@Nullable String text) {
        if (text == null) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value contains a control character that is not a tab or line break, or a percent-encoded NUL. */
    static boolean inValue(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isControl(c) && c != '\t' && c != '\n' && c != '\r') {
                return true;
            }
            if (c == '%' && isEncodedNul(text, i + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the text continues as {@code %00} does after the percent sign, even if encoded several times. */
    static boolean isEncodedNul(CharSequence text, int start) {
        int at = start;
        while (hasCharsAt(text, at, '2', '5')) {
            at += 2;
        }
        return hasCharsAt(text, at, '0', '0');
    }

    private static boolean hasCharsAt(CharSequence text, int at, char first, char second) {
        return at + 1 < text.length() && text.charAt(at) == first && text.charAt(at + 1) == second;
    }

    private static boolean isControl(char c) {
        return c < ' ' || (c >= '\u007f' && c <= '\u009f');
    }
}

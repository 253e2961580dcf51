package dev.gavel.lifecycle.process;

import java.util.List;

/**
 * Matches the end of a file's path against a pattern such as {@code seps/*.md}, regardless of case. In a part of the
 * path, {@code *} stands for any characters and {@code ?} for one; the part {@code **} stands for any number of parts.
 * Immutable.
 *
 * @param pattern the pattern, with {@code /} between its parts
 */
public record FilePattern(String pattern) {
    /** The maximum length of a path. A longer path matches no pattern. */
    private static final int MAX_PATH_LENGTH = 4_096;

    private static final String ANY_PARTS = "**";

    /** Whether a path ends with what the pattern describes. Both {@code /} and {@code \} separate its parts. */
    public boolean matches(String path) {
        if (path.length() > MAX_PATH_LENGTH) {
            return false;
        }
        List<String> wanted = parts(pattern);
        List<String> actual = parts(path.replace('\\', '/'));
        // Compares from the end, and returns to the last "**" if a part differs, so that the time stays quadratic.
        int pattern = wanted.size() - 1;
        int part = actual.size() - 1;
        int retryPattern = -1;
        int retryPart = -1;
        while (pattern >= 0) {
            if (wanted.get(pattern).equals(ANY_PARTS)) {
                retryPattern = --pattern;
                retryPart = part;
            } else if (part >= 0 && matches(wanted.get(pattern), actual.get(part))) {
                pattern--;
                part--;
            } else if (retryPart >= 0) {
                pattern = retryPattern;
                part = --retryPart;
            } else {
                return false;
            }
        }
        return true;
    }

    /** Returns the last parts of the pattern, from the last one that stands for several names. */
    public String lastVariableParts() {
        List<String> parts = parts(pattern);
        int first = parts.size() - 1;
        while (first > 0 && !parts.get(first).contains("*")) {
            first--;
        }
        return String.join("/", parts.subList(first, parts.size()));
    }

    /** Whether a text matches a pattern in which {@code *} stands for any characters and {@code ?} for one. */
    public static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int retry = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || same(pattern.charAt(p), text.charAt(t)))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++retry;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private static boolean same(char one, char other) {
        return Character.toLowerCase(one) == Character.toLowerCase(other);
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/")).stream().filter(part -> !part.isEmpty()).toList();
    }
}

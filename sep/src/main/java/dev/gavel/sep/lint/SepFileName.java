package dev.gavel.sep.lint;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A SEP document's file name, split into the leading SEP number or placeholder and the rest.
 *
 * @param placeholder whether the name has a placeholder instead of a number
 */
record SepFileName(OptionalInt number, boolean placeholder, String rest) {
    private static final Pattern NUMBERED =
            Pattern.compile("(?:sep[-_]?)?(\\d{1,9})[-_.](.{0,500})", Pattern.CASE_INSENSITIVE);
    private static final Pattern UNNUMBERED = Pattern.compile(
            "(?:sep[-_])?(?:x{2,9}|n{2,9}|draft|placeholder|tbd)[-_](.{0,500})", Pattern.CASE_INSENSITIVE);

    static SepFileName of(String file) {
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        Matcher numbered = NUMBERED.matcher(name);
        if (numbered.matches()) {
            int number = Integer.parseInt(numbered.group(1));
            return new SepFileName(
                    number == 0 ? OptionalInt.empty() : OptionalInt.of(number), number == 0, numbered.group(2));
        }
        Matcher unnumbered = UNNUMBERED.matcher(name);
        return unnumbered.matches()
                ? new SepFileName(OptionalInt.empty(), true, unnumbered.group(1))
                : new SepFileName(OptionalInt.empty(), false, name);
    }
}

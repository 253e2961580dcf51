package dev.gavel.mcpx.text;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Formats the change of a JSON value as one line for the old value and one for the new value. Stateless. */
public final class ValueChangeFormatter {
    private static final int CONTEXT_LENGTH = 40;

    private ValueChangeFormatter() {}

    /**
     * Returns the line with the old value, which begins with {@code -}, and the line with the new value, which begins
     * with {@code +}. A value that is missing has no line.
     *
     * @param field the name of the value
     * @param maxLength if a value has more characters, the part in which the two values differ is shown
     */
    public static List<String> lines(String field, Json before, Json after, int maxLength) {
        String name = SafeText.line(field);
        String old = before.isPresent() ? before.compact() : "";
        String current = after.isPresent() ? after.compact() : "";
        int shortest = Math.min(old.length(), current.length());
        int same = 0;
        while (same < shortest && old.charAt(same) == current.charAt(same)) {
            same++;
        }
        int sameAtEnd = 0;
        while (sameAtEnd < shortest - same
                && old.charAt(old.length() - 1 - sameAtEnd) == current.charAt(current.length() - 1 - sameAtEnd)) {
            sameAtEnd++;
        }
        List<String> lines = new ArrayList<>();
        if (!old.isEmpty()) {
            lines.add("- " + name + ": " + changedPart(old, same, sameAtEnd, maxLength));
        }
        if (!current.isEmpty()) {
            lines.add("+ " + name + ": " + changedPart(current, same, sameAtEnd, maxLength));
        }
        return lines;
    }

    /**
     * Returns the part of a long value in which the two values differ, with some characters around it: the author of the
     * value could otherwise hide a change at the end of a long text.
     */
    private static String changedPart(String value, int same, int sameAtEnd, int maxLength) {
        if (value.length() <= maxLength) {
            return SafeText.line(value);
        }
        int start = same <= CONTEXT_LENGTH ? 0 : same - CONTEXT_LENGTH;
        int end = sameAtEnd <= CONTEXT_LENGTH ? value.length() : value.length() - sameAtEnd + CONTEXT_LENGTH;
        return (start == 0 ? "" : "… ")
                + SafeText.line(SafeText.shortenMiddle(value.substring(start, end), maxLength))
                + (end == value.length() ? "" : " …");
    }
}

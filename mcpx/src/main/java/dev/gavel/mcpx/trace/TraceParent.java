package dev.gavel.mcpx.trace;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A W3C traceparent value: trace id, span id and the sampled flag. Immutable.
 *
 * @param traceId 32 hexadecimal digits, not all zero
 * @param spanId the id of the parent span: 16 hexadecimal digits, not all zero
 * @param sampled whether the program that started the trace wants it recorded
 */
public record TraceParent(String traceId, String spanId, boolean sampled) {
    private static final Pattern FORM =
            Pattern.compile("(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})"
                    + "(?<more>-.*)?");

    /** Longer than any version so far; longer values are ignored. */
    private static final int MAX_LENGTH = 256;

    /** Parses a {@code traceparent}; empty if it is invalid. Ignores additional fields of later versions. */
    public static Optional<TraceParent> parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String version = parts.group("version");
        boolean known = !version.equals("ff") && (!version.equals("00") || parts.group("more") == null);
        String trace = parts.group("trace");
        String span = parts.group("span");
        return known && !isZero(trace) && !isZero(span)
                ? Optional.of(new TraceParent(trace, span, (Integer.parseInt(parts.group("flags"), 16) & 1) == 1))
                : Optional.empty();
    }

    private static boolean isZero(String id) {
        return id.chars().allMatch(digit -> digit == '0');
    }

    /** Formats the value for a header or for {@code params._meta.traceparent}. */
    @Override
    public String toString() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }
}

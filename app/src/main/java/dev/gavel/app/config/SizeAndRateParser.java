package dev.gavel.app.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses sizes such as {@code 64KiB} and rates such as {@code 200/s}. Stateless. */
final class SizeAndRateParser {
    static final String EXPECTED_SIZE = "a size such as 64KiB or 1MiB";
    static final String EXPECTED_LARGE_SIZE = "a size such as 500MiB or 2GiB";
    static final String EXPECTED_QUOTA = "a size such as 16MiB or 1GiB, or off";
    static final String EXPECTED_RATE = "a rate such as 200/s";

    private static final Pattern SIZE_FORM = Pattern.compile("(\\d{1,9})\\s*(b|kib|mib|gib)?");
    private static final Pattern RATE_FORM = Pattern.compile("(\\d{1,9})\\s*/\\s*s");

    private SizeAndRateParser() {}

    /** Parses a number of bytes. */
    static Optional<Integer> parseSize(String text) {
        return parseLargeSize(text).filter(bytes -> bytes <= Integer.MAX_VALUE).map(Long::intValue);
    }

    /** Parses a number of bytes that may be greater than that of an array. */
    static Optional<Long> parseLargeSize(String text) {
        Matcher form = SIZE_FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return Optional.empty();
        }
        long unit = switch (form.group(2)) {
            case "kib" -> 1024L;
            case "mib" -> 1024L * 1024;
            case "gib" -> 1024L * 1024 * 1024;
            case null, default -> 1L;
        };
        return Optional.of(Long.parseLong(form.group(1)) * unit).filter(bytes -> bytes > 0);
    }

    /** Parses a number of bytes that may be large, or {@code off}. */
    static Optional<Long> parseQuota(String text) {
        return text.strip().equalsIgnoreCase("off") ? Optional.of(Long.MAX_VALUE) : parseLargeSize(text);
    }

    /** Parses a number per second. */
    static Optional<Integer> parseRate(String text) {
        Matcher form = RATE_FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        return form.matches()
                ? Optional.of(Integer.parseInt(form.group(1))).filter(rate -> rate > 0)
                : Optional.empty();
    }
}

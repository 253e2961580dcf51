package dev.gavel.cli;

import dev.gavel.yaml.YamlMappingReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Parses durations such as {@code 5m} and formats them for people. Stateless. */
public final class DurationTextFormat {
    public static final String EXPECTED = "a duration such as 90s, 5m, 2h or 1d";

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Duration> UNITS = List.of(Duration.ofDays(1), Duration.ofHours(1), Duration.ofMinutes(1));

    private DurationTextFormat() {}

    /**
     * Parses {@code 90s}, {@code 5m}, {@code 2h} or {@code 1d}, the syntax of the configuration; empty unless positive.
     */
    public static Optional<Duration> parse(String text) {
        return YamlMappingReader.parseDuration(text.strip()).filter(Duration::isPositive);
    }

    /** Formats in the largest unit that fits, rounded down: {@code 12s}, {@code 5m}, {@code 3h}, {@code 2d}. */
    public static String format(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + "d";
        }
        if (time.toHours() > 0) {
            return time.toHours() + "h";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + "m" : Math.max(0, time.toSeconds()) + "s";
    }

    /** Formats rounded up, so that a period of 30 days does not read as 29 days a moment after it starts. */
    public static String formatRemaining(Duration time) {
        Duration unit = UNITS.stream()
                .filter(each -> each.compareTo(time) <= 0)
                .findFirst()
                .orElse(SECOND);
        return format(time.plus(unit).minusNanos(1));
    }
}

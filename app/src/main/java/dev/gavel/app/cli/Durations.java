package dev.gavel.app.cli;

import dev.gavel.yaml.Fields;
import java.time.Duration;
import java.util.Optional;

/** How long something is, as people write it and read it. Stateless. */
final class Durations {
    static final String EXPECTED = "a time such as 90s, 5m, 2h or 1d";

    private Durations() {}

    /** Reads {@code 90s}, {@code 5m}, {@code 2h} or {@code 1d}, as configurations do; more than nothing. */
    static Optional<Duration> parse(String text) {
        return Fields.span(text.strip()).filter(Duration::isPositive);
    }

    /** In the largest unit that fits, rounded down: {@code 12s}, {@code 5m}, {@code 3h}, {@code 2d}. */
    static String brief(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + "d";
        }
        if (time.toHours() > 0) {
            return time.toHours() + "h";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + "m" : Math.max(0, time.toSeconds()) + "s";
    }
}

package dev.gavel.app.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long something is, as people write it and read it. Stateless. */
final class Durations {
    static final String EXPECTED = "a time such as 90s, 5m, 2h or 1d";

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([smhd])");

    private Durations() {}

    /** Reads {@code 90s}, {@code 5m}, {@code 2h} or {@code 1d}; more than nothing. */
    static Optional<Duration> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(form.group(1));
        Duration time = switch (form.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        return Optional.of(time).filter(Duration::isPositive);
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

package dev.gavel.web.console.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times for console pages: as a date, as an age or as a remaining time. Ages and remaining times are as of the
 * moment the page is rendered; a script updates them in the browser. Stateless.
 */
public final class ConsoleTimeFormatter {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int JUST_NOW_SECONDS = 10;

    private ConsoleTimeFormatter() {}

    /** Formats the day and the minute, in UTC. */
    public static String exact(Instant instant) {
        return UTC.format(instant);
    }

    /** Formats how long ago something happened. */
    public static String ago(Instant then, Instant now) {
        return Duration.between(then, now).toSeconds() < JUST_NOW_SECONDS ? "just now" : span(then, now) + " ago";
    }

    /** Formats the time between two moments: {@code 40 s}, {@code 14 min}, {@code 3 h}, {@code 2 days}. */
    public static String span(Instant from, Instant to) {
        long seconds = Math.max(0, Duration.between(from, to).toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 2 * 3600) {
            return Math.round(seconds / 60.0) + " min";
        }
        return seconds < 2 * 86_400 ? Math.round(seconds / 3600.0) + " h" : Math.round(seconds / 86_400.0) + " days";
    }
}

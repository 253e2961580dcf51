package dev.gavel.sep.service;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Parses the {@code asOf} argument of a sweep: the day or time for which the sweep determines what is due for SEPs.
 * Stateless.
 */
final class AsOfDateParser {
    private AsOfDateParser() {}

    /** Parses a day or a time. A day means its last moment in UTC; today means the current time. */
    static Optional<Instant> parse(String text, Instant now) {
        try {
            LocalDate day = LocalDate.parse(text.strip());
            return Optional.of(
                    day.equals(LocalDate.ofInstant(now, ZoneOffset.UTC))
                            ? now
                            : day.plusDays(1)
                                    .atStartOfDay(ZoneOffset.UTC)
                                    .toInstant()
                                    .minusMillis(1));
        } catch (DateTimeException e) {
            try {
                return Optional.of(Instant.parse(text.strip()));
            } catch (DateTimeException other) {
                return Optional.empty();
            }
        }
    }
}

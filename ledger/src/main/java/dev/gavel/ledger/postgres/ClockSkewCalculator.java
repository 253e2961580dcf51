package dev.gavel.ledger.postgres;

import java.time.Duration;
import java.time.Instant;

/**
 * Computes by how much the local clock and the database's clock differ at least, given local times before and after the
 * query. Stateless.
 */
final class ClockSkewCalculator {
    private ClockSkewCalculator() {}

    /**
     * Returns the minimum difference of the two clocks, given the time that the other clock showed between two local
     * times.
     */
    static Duration between(Instant before, Instant after, Instant databaseTime) {
        if (databaseTime.isBefore(before)) {
            return Duration.between(databaseTime, before);
        }
        return databaseTime.isAfter(after) ? Duration.between(after, databaseTime) : Duration.ZERO;
    }
}

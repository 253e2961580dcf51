package dev.gavel.ledger.postgres;

import java.time.Duration;

/**
 * Durations of PostgreSQL leases: lifetime, renewal interval, safety margin, and how early the holder is told to stop.
 * Immutable.
 *
 * @param lifetime how long a lease lasts without renewal, by the database's clock
 * @param renewInterval the interval at which held leases are renewed and requested leases are tried
 * @param margin how long before its end this process treats a lease as expired: clocks run at slightly different speeds
 * @param stopNotice how long before that the listener is notified to stop
 */
record LeaseTimings(Duration lifetime, Duration renewInterval, Duration margin, Duration stopNotice) {
    static final LeaseTimings DEFAULT = new LeaseTimings(
            Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(500));

    LeaseTimings {
        if (lifetime.compareTo(renewInterval.plus(margin).plus(stopNotice)) <= 0) {
            throw new IllegalArgumentException("a lease must last longer than its renewal interval");
        }
    }
}

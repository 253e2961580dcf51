package dev.gavel.ledger.postgres;

import java.time.Duration;

/**
 * Durations of PostgreSQL leases: lifetime, renewal interval, safety margin and stop notice. Immutable.
 *
 * @param lifetime how long one is held without being renewed, by the database's clock
 * @param renewInterval how often those held are renewed, and those wanted asked for
 * @param margin how long before its end we count it as ended: clocks run at slightly different speeds
 * @param stopNotice how long before that its holder is told to stop
 */
record LeaseTimings(Duration lifetime, Duration renewInterval, Duration margin, Duration stopNotice) {
    static final LeaseTimings DEFAULT = new LeaseTimings(
            Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(500));

    LeaseTimings {
        if (lifetime.compareTo(renewInterval.plus(margin).plus(stopNotice)) <= 0) {
            throw new IllegalArgumentException("a lease must live longer than until it is renewed");
        }
    }
}

package dev.gavel.ledger.postgres;

import java.time.Duration;

/**
 * How leases go by time. Immutable.
 *
 * @param life how long one is held without being renewed, by the database's clock
 * @param every how often those held are renewed, and those wanted asked for
 * @param margin how long before its end we count it as ended: clocks run at slightly different speeds
 * @param notice how long before that its holder is told to stop
 */
record LeaseTimes(Duration life, Duration every, Duration margin, Duration notice) {
    static final LeaseTimes USUAL = new LeaseTimes(
            Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(500));

    LeaseTimes {
        if (life.compareTo(every.plus(margin).plus(notice)) <= 0) {
            throw new IllegalArgumentException("a lease must live longer than until it is renewed");
        }
    }
}

package dev.gavel.client.connection;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Computes the wait before the next reconnect or retry, growing up to a bound, with random jitter. Not thread-safe. */
public final class Backoff {
    private static final long FIRST_MILLIS = 200;
    private static final long LONGEST_MILLIS = 5_000;

    private long next = FIRST_MILLIS;

    /** Returns the next wait. */
    public Duration next() {
        long wait = next / 2 + ThreadLocalRandom.current().nextLong(next / 2 + 1);
        next = Math.min(LONGEST_MILLIS, next * 2);
        return Duration.ofMillis(wait);
    }

    /**
     * Returns a short wait for the case that another address is ready to take over; random, so that not all clients
     * connect at once.
     */
    public Duration shortDelay() {
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(FIRST_MILLIS));
    }

    /** Starts again with short waits, after a success. */
    public void reset() {
        next = FIRST_MILLIS;
    }
}

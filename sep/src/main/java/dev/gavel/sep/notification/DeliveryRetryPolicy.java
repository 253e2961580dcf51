package dev.gavel.sep.notification;

import java.time.Duration;
import java.util.Optional;

/**
 * The response timeout and the retry delays for delivering a notification. Immutable.
 *
 * @param responseTimeout the time limit for a response
 * @param initialDelay the delay before the first retry; it doubles with each further retry
 * @param maxDelay the longest delay, even if the receiver requests a longer one
 * @param maxAttempts the number of attempts for one notification; the sender then gives it up, so that a notification
 *     that makes the receiver fail does not block all others
 * @param sleeper waits for a delay
 */
public record DeliveryRetryPolicy(
        Duration responseTimeout, Duration initialDelay, Duration maxDelay, int maxAttempts, Sleeper sleeper) {
    /** Blocks the calling thread for a time. */
    @FunctionalInterface
    public interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    /** Returns a policy with a timeout of ten seconds and retries for about a day. */
    public static DeliveryRetryPolicy defaults() {
        return new DeliveryRetryPolicy(
                Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofHours(1), 34, Thread::sleep);
    }

    /** Returns the delay after a number of attempts. */
    Duration delayAfter(int attempts, Optional<Duration> requestedDelay) {
        Duration backoff = initialDelay.multipliedBy(1L << Math.min(attempts - 1, 20));
        Duration delay =
                requestedDelay.filter(time -> time.compareTo(backoff) > 0).orElse(backoff);
        return delay.compareTo(maxDelay) > 0 ? maxDelay : delay;
    }
}

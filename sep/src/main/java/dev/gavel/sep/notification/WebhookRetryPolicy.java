package dev.gavel.sep.notification;

import java.time.Duration;
import java.util.Optional;

/**
 * The response timeout and the retry delays for posting to a webhook. Immutable.
 *
 * @param responseTimeout how long an answer may take
 * @param initialDelay how long to wait before the first time it is tried again; each time after that, twice as long
 * @param maxDelay the longest such wait, whatever the other end says
 * @param maxAttempts how often one notice is tried; then it is given up, so that one that breaks the other end does not keep
 *     all others back
 * @param sleeper does the waiting
 */
public record WebhookRetryPolicy(
        Duration responseTimeout, Duration initialDelay, Duration maxDelay, int maxAttempts, Sleeper sleeper) {
    /** Waits. */
    @FunctionalInterface
    public interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    /** Ten seconds for an answer; tried again for about a day. */
    public static WebhookRetryPolicy defaults() {
        return new WebhookRetryPolicy(
                Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofHours(1), 34, Thread::sleep);
    }

    /** How long to wait after so many tries. */
    Duration delayAfter(int tried, Optional<Duration> said) {
        Duration doubled = initialDelay.multipliedBy(1L << Math.min(tried - 1, 20));
        Duration wanted = said.filter(time -> time.compareTo(doubled) > 0).orElse(doubled);
        return wanted.compareTo(maxDelay) > 0 ? maxDelay : wanted;
    }
}

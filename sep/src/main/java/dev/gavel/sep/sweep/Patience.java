package dev.gavel.sep.sweep;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a webhook is waited for. Immutable.
 *
 * @param answer how long an answer may take
 * @param first how long to wait before the first time it is tried again; each time after that, twice as long
 * @param longest the longest such wait, whatever the other end says
 * @param tries how often one notice is tried; then it is given up, so that one that breaks the other end does not keep
 *     all others back
 * @param waiting does the waiting
 */
public record Patience(Duration answer, Duration first, Duration longest, int tries, Waiting waiting) {
    /** Waits. */
    @FunctionalInterface
    public interface Waiting {
        void waitFor(Duration time) throws InterruptedException;
    }

    /** Ten seconds for an answer; tried again for about a day. */
    public static Patience usual() {
        return new Patience(Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofHours(1), 34, Thread::sleep);
    }

    /** How long to wait after so many tries. */
    Duration after(int tried, Optional<Duration> said) {
        Duration doubled = first.multipliedBy(1L << Math.min(tried - 1, 20));
        Duration wanted = said.filter(time -> time.compareTo(doubled) > 0).orElse(doubled);
        return wanted.compareTo(longest) > 0 ? longest : wanted;
    }
}

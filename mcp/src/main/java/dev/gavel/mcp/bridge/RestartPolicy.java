package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides how long the bridge waits before it restarts a server that has ended, with exponential backoff. Not
 * thread-safe.
 *
 * @param initialDelay the first wait; nothing where it is never started again
 * @param healthyAfter who ran so long, ran well
 */
public record RestartPolicy(Optional<Duration> initialDelay, Duration maxDelay, Duration healthyAfter) {
    /** What {@code gavel serve} does. */
    public static final RestartPolicy DEFAULT =
            new RestartPolicy(Optional.of(Duration.ofSeconds(1)), Duration.ofMinutes(1), Duration.ofMinutes(1));

    /** A server is started once. */
    public static final RestartPolicy NEVER = new RestartPolicy(Optional.empty(), Duration.ZERO, Duration.ZERO);

    /** The wait after so many ends in a row, a bit of it by chance so that not all come back at once. */
    Optional<Duration> delayAfter(int ends) {
        return initialDelay.map(wait -> {
            long millis = Math.min(maxDelay.toMillis(), wait.toMillis() << Math.min(ends - 1, 20));
            return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
        });
    }
}

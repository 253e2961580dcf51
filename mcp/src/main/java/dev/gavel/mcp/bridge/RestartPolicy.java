package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides how long the bridge waits before it restarts a server that has ended, with exponential backoff. Immutable.
 *
 * @param initialDelay the delay before the first restart; empty if the server is never restarted
 * @param healthyAfter a run of at least this time resets the backoff
 */
public record RestartPolicy(Optional<Duration> initialDelay, Duration maxDelay, Duration healthyAfter) {
    /** The policy of {@code gavel serve}. */
    public static final RestartPolicy DEFAULT =
            new RestartPolicy(Optional.of(Duration.ofSeconds(1)), Duration.ofMinutes(1), Duration.ofMinutes(1));

    /** The server is started once and never restarted. */
    public static final RestartPolicy NEVER = new RestartPolicy(Optional.empty(), Duration.ZERO, Duration.ZERO);

    /**
     * Returns the delay after this many consecutive ends. Up to half of it is random, so that not all servers restart
     * at once.
     */
    Optional<Duration> delayAfter(int consecutiveEnds) {
        return initialDelay.map(delay -> {
            long millis = Math.min(maxDelay.toMillis(), delay.toMillis() << Math.min(consecutiveEnds - 1, 20));
            return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
        });
    }
}

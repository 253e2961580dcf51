package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a server is started again: soon, and later each time, unless it ran well in between. Not thread-safe.
 *
 * @param first the first wait; nothing where it is never started again
 * @param wellAfter who ran so long, ran well
 */
public record Restarts(Optional<Duration> first, Duration longest, Duration wellAfter) {
    /** What {@code gavel serve} does. */
    public static final Restarts USUAL =
            new Restarts(Optional.of(Duration.ofSeconds(1)), Duration.ofMinutes(1), Duration.ofMinutes(1));

    /** A server is started once. */
    public static final Restarts NEVER = new Restarts(Optional.empty(), Duration.ZERO, Duration.ZERO);

    /** The wait after so many ends in a row, a bit of it by chance so that not all come back at once. */
    Optional<Duration> after(int ends) {
        return first.map(wait -> {
            long millis = Math.min(longest.toMillis(), wait.toMillis() << Math.min(ends - 1, 20));
            return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
        });
    }
}

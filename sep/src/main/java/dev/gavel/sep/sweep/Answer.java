package dev.gavel.sep.sweep;

import java.time.Duration;
import java.util.Optional;

/** What came of posting to a webhook. */
sealed interface Answer {
    /** It was taken. */
    record Taken() implements Answer {}

    /**
     * It may be taken later.
     *
     * @param after how long to wait, where the other end said so
     */
    record Later(String why, Optional<Duration> after) implements Answer {}

    /** It will never be taken. */
    record Never(String why) implements Answer {}

    /** What a status means. */
    static Answer of(int status, Optional<String> retryAfter) {
        String why = "it answered " + status;
        return switch (status) {
            case 408, 425, 429 -> new Later(why, seconds(retryAfter));
            default ->
                switch (status / 100) {
                    case 2 -> new Taken();
                    case 5 -> new Later(why, seconds(retryAfter));
                    case 3 -> new Never(why + ", which leads elsewhere; put the new address into the configuration");
                    default -> new Never(why);
                };
        };
    }

    /** Seconds, as Discord and Slack write them, also with a part of one; a date is not waited for. */
    private static Optional<Duration> seconds(Optional<String> retryAfter) {
        try {
            return retryAfter
                    .map(text -> Double.parseDouble(text.strip()))
                    .filter(seconds -> seconds >= 0 && seconds < 1e9)
                    .map(seconds -> Duration.ofMillis((long) Math.ceil(seconds * 1_000)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

package dev.gavel.sep.notification;

import java.time.Duration;
import java.util.Optional;

/** The result of delivering a notification: accepted, retry later, or rejected. */
public sealed interface DeliveryResult {
    /** The receiver accepted the notification. */
    record Accepted() implements DeliveryResult {}

    /**
     * The receiver may accept the notification later.
     *
     * @param after the delay that the receiver requested, if any
     */
    record RetryLater(String reason, Optional<Duration> after) implements DeliveryResult {}

    /** The receiver will never accept the notification. */
    record Rejected(String reason) implements DeliveryResult {}

    /** Maps an HTTP status to a result. */
    static DeliveryResult of(int status, Optional<String> retryAfter) {
        String reason = "it answered " + status;
        return switch (status) {
            case 408, 425, 429 -> new RetryLater(reason, seconds(retryAfter));
            default ->
                switch (status / 100) {
                    case 2 -> new Accepted();
                    case 5 -> new RetryLater(reason, seconds(retryAfter));
                    case 3 -> new Rejected(reason + ", a redirect; put the new address into the configuration");
                    default -> new Rejected(reason);
                };
        };
    }

    /** Parses seconds, as Discord and Slack write them, also with a fraction. A date is ignored. */
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

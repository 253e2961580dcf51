package dev.gavel.gateway.topic;

import java.util.Locale;
import java.util.Optional;

/**
 * How much of a topic's traffic a connection receives: everything, or only broadcasts and envelopes addressed to its
 * member.
 */
public enum SubscriptionScope {
    /** Everything sent in the topic. */
    ALL,
    /** Broadcasts, and envelopes addressed to the participant. */
    DIRECTED;

    /** Parses the mode from a URL parameter. */
    public static Optional<SubscriptionScope> parse(String text) {
        return switch (text) {
            case "all" -> Optional.of(ALL);
            case "directed" -> Optional.of(DIRECTED);
            default -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

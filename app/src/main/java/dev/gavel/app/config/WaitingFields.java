package dev.gavel.app.config;

import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Problems;
import java.time.Duration;
import java.util.Optional;

/** Reads how an identity's calls are treated while they wait for a decision. Stateless. */
final class WaitingFields {
    /** Longer than this no client waits without a sign of life. */
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private WaitingFields() {}

    /** What an identity says of it; nothing where it says nothing. */
    static Optional<Settings> read(Fields identity, Problems problems) {
        Optional<Duration> hold = identity.duration("hold");
        if (hold.filter(span -> span.isZero() || span.compareTo(LONGEST_HOLD) > 0)
                .isPresent()) {
            problems.add(identity.position("hold"), "'hold' must be above 0 and at most 1h");
        }
        Optional<Boolean> keep = identity.parsed("onDisconnect", "withdraw or keep", WaitingFields::keep);
        return hold.isEmpty() && keep.isEmpty()
                ? Optional.empty()
                : Optional.of(new Settings(hold.orElse(Settings.DEFAULT.hold()), keep.orElse(Settings.DEFAULT.keep())));
    }

    private static Optional<Boolean> keep(String word) {
        return switch (word) {
            case "keep" -> Optional.of(true);
            case "withdraw" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}

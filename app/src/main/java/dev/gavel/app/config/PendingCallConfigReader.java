package dev.gavel.app.config;

import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads how long an identity's MCP calls wait for a decision, how long a proposal waits for a disconnected client, and
 * whether equal calls are one call. Stateless.
 */
final class PendingCallConfigReader {
    /** No client waits longer than this without a sign of life. */
    private static final Duration MAX_HOLD = Duration.ofHours(1);

    private static final Duration MAX_LINGER = Duration.ofDays(1);

    private PendingCallConfigReader() {}

    /** Reads the settings of an identity; empty if it has none. */
    static Optional<PendingCallSettings> read(YamlMappingReader identity, ProblemCollector problemCollector) {
        Optional<Duration> hold = identity.duration("hold");
        if (hold.filter(span -> span.isZero() || span.compareTo(MAX_HOLD) > 0).isPresent()) {
            problemCollector.add(identity.position("hold"), "'hold' must be above 0 and at most 1h");
        }
        Optional<Duration> linger = identity.duration("linger");
        if (linger.filter(span -> span.compareTo(MAX_LINGER) > 0).isPresent()) {
            problemCollector.add(identity.position("linger"), "'linger' must be at most 1d");
        }
        Optional<Boolean> keepOnDisconnect =
                identity.parse("onDisconnect", "withdraw or keep", PendingCallConfigReader::parseOnDisconnect);
        Optional<Boolean> joinsRepeatedCalls = joinsRepeatedCalls(identity);
        return hold.isEmpty() && linger.isEmpty() && keepOnDisconnect.isEmpty() && joinsRepeatedCalls.isEmpty()
                ? Optional.empty()
                : Optional.of(new PendingCallSettings(
                        hold.orElse(PendingCallSettings.DEFAULT.maxWait()),
                        hold.isPresent(),
                        linger.orElse(PendingCallSettings.DEFAULT.linger()),
                        keepOnDisconnect.orElse(PendingCallSettings.DEFAULT.keepOnDisconnect()),
                        joinsRepeatedCalls.orElse(PendingCallSettings.DEFAULT.joinsRepeatedCalls())));
    }

    /** Reads whether equal calls of an identity, or in a topic, are one call; empty if not set. */
    static Optional<Boolean> joinsRepeatedCalls(YamlMappingReader identityOrTopic) {
        return identityOrTopic.parse("duplicates", "join or separate", PendingCallConfigReader::parseDuplicates);
    }

    private static Optional<Boolean> parseDuplicates(String value) {
        return switch (value) {
            case "join" -> Optional.of(true);
            case "separate" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Boolean> parseOnDisconnect(String value) {
        return switch (value) {
            case "keep" -> Optional.of(true);
            case "withdraw" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}

package dev.gavel.mcp.bridge;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The current state of a bridge: its phase, the reason for it, restarts, tool count and protocol version. Immutable.
 *
 * @param since when it became so
 * @param reason what happened last, where it is down; who runs it, where another process does
 * @param restarts how often its server was started again
 * @param tools how many tools it has, as far as that is known
 * @param version of MCP that it is spoken to in, while it is up
 */
public record BridgeStatus(
        String name,
        String topic,
        Phase phase,
        Instant since,
        String reason,
        long restarts,
        OptionalInt tools,
        Optional<String> version) {
    /** How many tools it has, in words, as far as that is known. */
    public Optional<String> toolCountText() {
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(tools.getAsInt() == 1 ? "1 tool" : tools.getAsInt() + " tools");
    }

    /** What a bridge is doing. */
    public enum Phase {
        /** Its server is being started. */
        STARTING,
        /** Its server is in the topic. */
        UP,
        /** Its server is not there, and is started again before long. */
        DOWN,
        /** It was closed, or is not to be started again. */
        OVER,
        /** Another process runs it, or is about to. */
        STANDBY
    }
}

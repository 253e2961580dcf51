package dev.gavel.mcp.bridge;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The current status of a bridge between an MCP server and a topic: phase and its reason, restarts, tool count and
 * protocol version. Immutable.
 *
 * @param since when the bridge entered this phase
 * @param reason the last failure if the bridge is down; the process that runs it if it is on standby; why the server's
 *     tools are not known if it is up
 * @param restarts how often the server was restarted
 * @param tools the number of tools, if it is known
 * @param version the MCP version negotiated with the server, while it is up
 * @param undelivered the messages of the server that the bridge could not forward
 */
public record BridgeStatus(
        String name,
        String topic,
        Phase phase,
        Instant since,
        String reason,
        long restarts,
        OptionalInt tools,
        Optional<String> version,
        UndeliveredMessages undelivered) {
    /** Returns the number of tools as text, if it is known. */
    public Optional<String> toolCountText() {
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(tools.getAsInt() == 1 ? "1 tool" : tools.getAsInt() + " tools");
    }

    /**
     * The messages of the server that were too long or could not be read, since the process started.
     *
     * @param last the problem of the last one; empty if there was none
     */
    public record UndeliveredMessages(long count, String last) {
        public static final UndeliveredMessages NONE = new UndeliveredMessages(0, "");
    }

    /** The phase of a bridge's life. */
    public enum Phase {
        /** The bridge starts the server. */
        STARTING,
        /** The server is connected to the topic. */
        UP,
        /** The server is not running. The bridge restarts it soon. */
        DOWN,
        /** The bridge was closed, or does not restart the server any more. */
        OVER,
        /** Another process runs the bridge, or is about to. */
        STANDBY
    }
}

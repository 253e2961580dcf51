package dev.gavel.web.console.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A bridge and the status of its MCP server, as one row on the admin pages.
 *
 * @param up whether the bridge works as intended: its server is in its topic and lists its tools, or another process
 *     runs it
 * @param since when the current status began
 * @param reason why the bridge is not up or its tools are not known, or which process runs it; empty if there is nothing to report
 * @param nextStep what happens next without any action
 * @param version the MCP version that the bridge uses with its server, while it is up
 * @param restarts how often the server was restarted
 * @param undelivered how many messages of the server could not be forwarded
 * @param lastUndelivered the problem of the last one; empty if there was none
 * @param tools the names of the tools that the server offers, as far as they are known
 */
public record BridgeRow(
        String name,
        String topic,
        boolean up,
        StatusBadge statusBadge,
        Instant since,
        String reason,
        String nextStep,
        Optional<String> version,
        long restarts,
        long undelivered,
        String lastUndelivered,
        List<String> tools) {
    public BridgeRow {
        tools = List.copyOf(tools);
    }
}

package dev.gavel.web.console.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A bridge and the status of its MCP server, as one row on the admin pages.
 *
 * @param up whether it is as it should be: its server is in its topic, or another process sees to that
 * @param since when it became so
 * @param reason what happened last, where it is not up, or which process runs it; empty where nothing did
 * @param nextStep what comes of that by itself
 * @param version of MCP that it is spoken to in, while it is up
 * @param restarts how often its server was started again
 * @param tools the names of what it offers, as far as that is known
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
        List<String> tools) {
    public BridgeRow {
        tools = List.copyOf(tools);
    }
}

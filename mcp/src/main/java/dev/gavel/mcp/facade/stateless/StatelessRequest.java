package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcpx.json.Json;
import java.util.Map;
import java.util.Optional;

/**
 * A validated stateless MCP request with its method, parameters, client capabilities, log level and parameter headers.
 * Immutable.
 *
 * @param id as the client wrote it
 * @param params as the client wrote them
 * @param capabilities what the client could be asked for
 * @param minLogLevel from which on it wants a server's log messages; none where it wants none
 * @param paramHeaders the arguments that headers say as well, by the headers' names in small letters
 */
public record StatelessRequest(
        String id,
        String method,
        String params,
        Json capabilities,
        Optional<McpLogLevel> minLogLevel,
        Map<String, String> paramHeaders) {
    public StatelessRequest {
        paramHeaders = Map.copyOf(paramHeaders);
    }

    /** Whether the client knows tasks. */
    boolean supportsTasks() {
        return capabilities.at("extensions").at(McpMetaFields.TASKS).isPresent();
    }
}

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
 * @param id as raw JSON
 * @param params as raw JSON
 * @param capabilities the client's capabilities
 * @param minLogLevel the lowest level of log messages that the client requests; empty if it requests none
 * @param paramHeaders the values of the parameter headers, by lower-case header name
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

    /** Whether the client declares the Tasks extension. */
    boolean supportsTasks() {
        return capabilities.at("extensions").at(McpMetaFields.TASKS).isPresent();
    }
}

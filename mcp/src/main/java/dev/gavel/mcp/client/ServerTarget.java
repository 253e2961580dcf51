package dev.gavel.mcp.client;

/**
 * Identifies an MCP server that Gavel can connect to: a command to start or an HTTP endpoint. Every case is immutable.
 */
public sealed interface ServerTarget permits ServerLaunchConfig, McpHttpEndpoint {
    /**
     * A way to it, not yet opened.
     *
     * @param name stands in the log for it
     */
    McpTransport newTransport(String name);
}

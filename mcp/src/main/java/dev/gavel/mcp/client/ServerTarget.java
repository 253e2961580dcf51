package dev.gavel.mcp.client;

/** Where an MCP server is. Every case is immutable. */
public sealed interface ServerTarget permits ServerLaunchConfig, McpHttpEndpoint {
    /**
     * A way to it, not yet opened.
     *
     * @param name stands in the log for it
     */
    McpTransport newTransport(String name);
}

package dev.gavel.mcp.client;

/**
 * Identifies an MCP server that Gavel can connect to: a command to start or an HTTP endpoint. Every case is immutable.
 */
public sealed interface ServerTarget permits ServerLaunchConfig, HttpServerTarget {
    /**
     * Creates a transport to the server that is not opened yet.
     *
     * @param name identifies the server in the log
     * @param maxMessageBytes the maximum length of a message of the server
     */
    McpTransport newTransport(String name, int maxMessageBytes);
}

package dev.gavel.mcp.session;

/** Where an MCP server is. Every case is immutable. */
public sealed interface Target permits Launch, Endpoint {
    /**
     * A way to it, not yet opened.
     *
     * @param name stands in the log for it
     */
    Transport transport(String name);
}

/**
 * Relays MCP messages between standard input and output and a Streamable HTTP server, for clients that can only start a
 * program.
 */
@NullMarked
package dev.gavel.mcp.relay;

import org.jspecify.annotations.NullMarked;

/** Bridges: an MCP server becomes a participant of a topic. */
@NullMarked
package dev.gavel.mcp.bridge;

import org.jspecify.annotations.NullMarked;

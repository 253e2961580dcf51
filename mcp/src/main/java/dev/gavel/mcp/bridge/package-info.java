/** Runs or connects to MCP servers and puts them into a topic as participants. */
@NullMarked
package dev.gavel.mcp.bridge;

import org.jspecify.annotations.NullMarked;

/** A topic as MCP clients see it: one server that offers what the topic's participants offer. */
@NullMarked
package dev.gavel.mcp.facade;

import org.jspecify.annotations.NullMarked;

/**
 * Serves each topic to MCP clients as one MCP server that offers the tools, prompts and resources of the topic's
 * participants.
 */
@NullMarked
package dev.gavel.mcp.facade;

import org.jspecify.annotations.NullMarked;

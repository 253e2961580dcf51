/** Commands that connect MCP servers and MCP clients to a topic over standard input and output or HTTP. */
@NullMarked
package dev.gavel.cli.mcp;

import org.jspecify.annotations.NullMarked;

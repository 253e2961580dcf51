/** Calls of MCP clients, independent of the protocol version: sends or proposes them and delivers their results. */
@NullMarked
package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.NullMarked;

/** Calls of MCP clients on their way: sent, proposed and waited for, whatever the version of MCP. */
@NullMarked
package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.NullMarked;

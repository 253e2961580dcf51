/** Tests of calls of MCP clients, independent of the protocol version. */
@NullMarked
package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.NullMarked;

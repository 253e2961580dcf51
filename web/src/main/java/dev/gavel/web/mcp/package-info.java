/**
 * MCP's Streamable HTTP transport: passes requests of MCP clients to the facade and writes its messages as responses.
 */
@NullMarked
package dev.gavel.web.mcp;

import org.jspecify.annotations.NullMarked;

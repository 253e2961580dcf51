/** The MCP client side: sessions with MCP servers, over standard input and output or Streamable HTTP. */
@NullMarked
package dev.gavel.mcp.client;

import org.jspecify.annotations.NullMarked;

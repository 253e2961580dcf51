/**
 * The client's side of an MCP server: two ways to reach one, as a process of ours or over HTTP, and a session on top of
 * either.
 */
@NullMarked
package dev.gavel.mcp.session;

import org.jspecify.annotations.NullMarked;

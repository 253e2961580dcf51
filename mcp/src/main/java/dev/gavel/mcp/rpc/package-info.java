/**
 * JSON-RPC messages and HTTP headers as MCP uses them. Messages are read and written without changing the JSON text
 * that they carry.
 */
@NullMarked
package dev.gavel.mcp.rpc;

import org.jspecify.annotations.NullMarked;

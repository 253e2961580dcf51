/** JSON-RPC messages as MCP uses them. What they carry stays as it was written: letters come in, and the same go out. */
@NullMarked
package dev.gavel.mcp.rpc;

import org.jspecify.annotations.NullMarked;

/**
 * What MCP costs through Gavel: {@link dev.gavel.bench.mcp.McpFigures} measures calls through facade and bridge beside calls
 * of the same server without them, the way from an approval to the waiting client's result beside the disk's own sync, and
 * the memory of calls that wait. Gavel and the servers run as processes of their own.
 */
@NullMarked
package dev.gavel.bench.mcp;

import org.jspecify.annotations.NullMarked;

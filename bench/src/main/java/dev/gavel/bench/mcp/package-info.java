/**
 * The MCP benchmark ({@code bench/mcp}): calls through facade and bridge compared with direct calls, the time from an
 * approval to the client's result, and the memory of waiting calls.
 */
@NullMarked
package dev.gavel.bench.mcp;

import org.jspecify.annotations.NullMarked;

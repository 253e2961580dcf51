/** Tests of the facade for MCP 2025-11-25 and older, with sessions and resumable streams. */
@NullMarked
package dev.gavel.mcp.facade.stateful;

import org.jspecify.annotations.NullMarked;

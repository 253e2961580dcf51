/** The facade for MCP 2025-11-25 and older, where clients initialize a session and can resume broken streams. */
@NullMarked
package dev.gavel.mcp.facade.stateful;

import org.jspecify.annotations.NullMarked;

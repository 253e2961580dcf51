/** MCP 2026-07-28: every request says by itself all that is needed to answer it, and nothing is remembered between them. */
@NullMarked
package dev.gavel.mcp.facade.modern;

import org.jspecify.annotations.NullMarked;

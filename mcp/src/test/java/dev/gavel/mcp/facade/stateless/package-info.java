/** Tests of the facade for MCP 2026-07-28, where each request is self-contained. */
@NullMarked
package dev.gavel.mcp.facade.stateless;

import org.jspecify.annotations.NullMarked;

/** Tests of MCP on both sides of a running server. */
@NullMarked
package dev.gavel.app.mcp;

import org.jspecify.annotations.NullMarked;

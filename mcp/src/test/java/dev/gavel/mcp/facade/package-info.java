/** Tests of how the two kinds of MCP are told apart. */
@NullMarked
package dev.gavel.mcp.facade;

import org.jspecify.annotations.NullMarked;

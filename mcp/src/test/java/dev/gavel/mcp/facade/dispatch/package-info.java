/** Tests of the MCP methods that are the same in every protocol version. */
@NullMarked
package dev.gavel.mcp.facade.dispatch;

import org.jspecify.annotations.NullMarked;

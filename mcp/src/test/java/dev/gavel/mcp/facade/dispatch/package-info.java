/** What clients of every version of MCP ask for alike: what there is, and calls of it. */
@NullMarked
package dev.gavel.mcp.facade.dispatch;

import org.jspecify.annotations.NullMarked;

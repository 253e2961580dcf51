/** MCP on both sides of a topic: servers are bridged into it, and it is served to clients. */
@NullMarked
package dev.gavel.mcp;

import org.jspecify.annotations.NullMarked;

/** MCP 2025-11-25 and before: clients that begin with a handshake and go on in a session, with streams that are taken up
 * again where they broke. Nothing else knows of it. */
@NullMarked
package dev.gavel.mcp.facade.stateful;

import org.jspecify.annotations.NullMarked;

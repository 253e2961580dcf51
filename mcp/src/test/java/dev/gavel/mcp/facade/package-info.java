/** Tests of the detection of stateful and stateless MCP requests. */
@NullMarked
package dev.gavel.mcp.facade;

import org.jspecify.annotations.NullMarked;

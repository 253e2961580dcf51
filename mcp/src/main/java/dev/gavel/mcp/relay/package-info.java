/** Streamable HTTP for clients that can only start a program: lines on standard input and output become requests. */
@NullMarked
package dev.gavel.mcp.relay;

import org.jspecify.annotations.NullMarked;

/** Tests of Gavel with MCP clients and servers of other projects, installed in the directory {@code interop}. */
@NullMarked
package dev.gavel.app.interop;

import org.jspecify.annotations.NullMarked;

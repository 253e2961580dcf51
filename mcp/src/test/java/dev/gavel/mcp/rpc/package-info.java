@NullMarked
package dev.gavel.mcp.rpc;

import org.jspecify.annotations.NullMarked;

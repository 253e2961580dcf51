@NullMarked
package dev.gavel.mcp.relay;

import org.jspecify.annotations.NullMarked;

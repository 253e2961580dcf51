@NullMarked
package dev.gavel.mcp.bridge;

import org.jspecify.annotations.NullMarked;

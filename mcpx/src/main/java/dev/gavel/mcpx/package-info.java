/** Tmp. */
@NullMarked
package dev.gavel.mcpx;

import org.jspecify.annotations.NullMarked;

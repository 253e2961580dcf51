/** JSON values that keep the letters they were written with. */
@NullMarked
package dev.gavel.mcpx.json;

import org.jspecify.annotations.NullMarked;

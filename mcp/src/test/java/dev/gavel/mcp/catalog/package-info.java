/** The directory's parts by themselves. */
@NullMarked
package dev.gavel.mcp.catalog;

import org.jspecify.annotations.NullMarked;

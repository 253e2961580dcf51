/** The directory's parts by themselves. */
@NullMarked
package dev.gavel.mcp.directory;

import org.jspecify.annotations.NullMarked;

/** The facade's parts by themselves. */
@NullMarked
package dev.gavel.mcp.facade;

import org.jspecify.annotations.NullMarked;

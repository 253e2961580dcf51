/** Tracks which tools, prompts and resources the participants of a topic offer. */
@NullMarked
package dev.gavel.mcp.catalog;

import org.jspecify.annotations.NullMarked;

/** Who in a topic offers which tools, prompts and resources. */
@NullMarked
package dev.gavel.mcp.directory;

import org.jspecify.annotations.NullMarked;

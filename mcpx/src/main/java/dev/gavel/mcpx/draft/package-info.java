/** The envelopes that participants of ours send, and their ids. */
@NullMarked
package dev.gavel.mcpx.draft;

import org.jspecify.annotations.NullMarked;

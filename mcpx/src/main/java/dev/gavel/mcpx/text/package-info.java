/**
 * Makes untrusted text safe to show on a terminal or a page, measures its width on a terminal, and renders tool results
 * as text.
 */
@NullMarked
package dev.gavel.mcpx.text;

import org.jspecify.annotations.NullMarked;

/** What other people and their programs sent, made fit to be shown to somebody: at a terminal or on a page. */
@NullMarked
package dev.gavel.mcpx.text;

import org.jspecify.annotations.NullMarked;

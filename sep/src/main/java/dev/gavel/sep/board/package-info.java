/**
 * Writes the static board: a site of plain HTML pages with an index, statistics and one page for each SEP, which needs
 * no server and no script.
 */
@NullMarked
package dev.gavel.sep.board;

import org.jspecify.annotations.NullMarked;

/**
 * The static board: a site of plain pages, one a proposal, that needs no server and no script. {@link
 * dev.gavel.sep.board.Board} writes it into a {@link dev.gavel.sep.board.Sink}.
 */
@NullMarked
package dev.gavel.sep.board;

import org.jspecify.annotations.NullMarked;

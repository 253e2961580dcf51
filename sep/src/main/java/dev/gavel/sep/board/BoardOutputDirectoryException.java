package dev.gavel.sep.board;

import java.io.IOException;

/**
 * Thrown when a board cannot be written to a directory, usually because the directory contains files that belong to no
 * board.
 */
public final class BoardOutputDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    BoardOutputDirectoryException(String message) {
        super(message);
    }
}

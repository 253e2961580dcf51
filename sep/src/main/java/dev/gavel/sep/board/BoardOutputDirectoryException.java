package dev.gavel.sep.board;

import java.io.IOException;

/**
 * Thrown when a board cannot be written to a directory without changing files that are not its own; the message names
 * them and the fix.
 */
public final class BoardOutputDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    BoardOutputDirectoryException(String message) {
        super(message);
    }
}

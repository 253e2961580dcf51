package dev.gavel.sep.board;

import java.io.IOException;

/** Thrown when a board cannot be written to a directory, mostly because files that no board made are in the way. */
public final class BoardOutputDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    BoardOutputDirectoryException(String message) {
        super(message);
    }
}

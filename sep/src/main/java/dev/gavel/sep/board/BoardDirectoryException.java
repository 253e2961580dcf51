package dev.gavel.sep.board;

import java.io.IOException;

/** A directory cannot be made a board without touching what is not ours; the message says what, and what to do. */
public final class BoardDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    BoardDirectoryException(String message) {
        super(message);
    }
}

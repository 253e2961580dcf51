package dev.gavel.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Ends a command with an error message for the user and an exit code. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    /**
     * Describes a file error for people. The message of many file exceptions is only the file's name, so this adds the
     * reason.
     */
    public static String describe(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "the file " + missing.getFile() + " does not exist";
            case AccessDeniedException denied -> "permission denied for " + denied.getFile();
            case FileSystemException other -> other.getFile() + ": " + other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}

package dev.gavel.app.cli;

/** Ends a command with a message for its user and an exit code; no stack trace is ever shown for one. */
final class Complaint extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Complaint(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}

package dev.gavel.yaml;

/** A problem found in a file: its position and a message. */
public record FileProblem(SourcePosition position, String message) {
    /** Formats the problem as {@code file:line: message}. */
    @Override
    public String toString() {
        return position + ": " + message;
    }
}

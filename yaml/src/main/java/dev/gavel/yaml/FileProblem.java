package dev.gavel.yaml;

/** A problem found in a file: its position and a message. */
public record FileProblem(SourcePosition position, String message) {
    /** {@code file:line: what is wrong}. */
    @Override
    public String toString() {
        return position + ": " + message;
    }
}

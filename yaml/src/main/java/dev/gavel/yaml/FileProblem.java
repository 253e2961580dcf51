package dev.gavel.yaml;

/** Something wrong in a file: where, and what. */
public record FileProblem(SourcePosition position, String message) {
    /** {@code file:line: what is wrong}. */
    @Override
    public String toString() {
        return position + ": " + message;
    }
}

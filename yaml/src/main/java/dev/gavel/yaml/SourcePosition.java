package dev.gavel.yaml;

/** A file, line and column in a source file; lines and columns count from one. */
public record SourcePosition(String file, int line, int column) {
    @Override
    public String toString() {
        return file + ":" + line;
    }
}

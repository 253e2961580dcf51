package dev.gavel.sep.document;

/**
 * A range of characters in a document, with line and column.
 *
 * @param start the offset of the first character, counted from zero
 * @param end the offset after the last character
 * @param line counted from one
 * @param column counted from one; a byte order mark does not count as a column
 */
public record TextRange(int start, int end, int line, int column) {
    /** Returns the range between two offsets of a text. */
    public static TextRange of(String text, int start, int end) {
        return DocumentLines.of(text).range(start, end);
    }
}

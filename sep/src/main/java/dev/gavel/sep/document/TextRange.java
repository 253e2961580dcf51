package dev.gavel.sep.document;

import java.util.List;

/**
 * A range of characters in a document, with line and column.
 *
 * @param start the offset of the first character, counted from zero
 * @param end the offset after the last character
 * @param line counted from one
 * @param column counted from one; a byte order mark does not count as a column
 */
public record TextRange(int start, int end, int line, int column) {
    /** Returns an empty range at each of these offsets of a text. */
    public static List<TextRange> at(String text, List<Integer> offsets) {
        DocumentLines lines = DocumentLines.of(text, PreambleLabels.NONE);
        return offsets.stream().map(offset -> lines.range(offset, offset)).toList();
    }
}

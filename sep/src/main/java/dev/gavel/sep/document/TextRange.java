package dev.gavel.sep.document;

/**
 * A range of characters in a document, with line and column.
 *
 * @param start the first character of it, counted from zero
 * @param end the first character after it
 * @param line counted from one
 * @param column counted from one; a byte order mark is no column
 */
public record TextRange(int start, int end, int line, int column) {}

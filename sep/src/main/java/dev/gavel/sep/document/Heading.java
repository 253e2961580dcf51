package dev.gavel.sep.document;

/**
 * A heading.
 *
 * @param words without marks
 * @param line which of the document's lines it stands on, counted from zero
 * @param body the first line after it
 * @param spaced whether there is a space between its mark and its words, without which it is shown as text
 */
record Heading(int level, String words, String slug, Spot spot, int line, int body, boolean spaced) {}

package dev.gavel.sep.document;

/**
 * A heading of a document: level, text, slug and position.
 *
 * @param text without marks
 * @param lineIndex which of the document's lines it stands on, counted from zero
 * @param bodyIndex the first line after it
 * @param hasSpace whether there is a space between its mark and its words, without which it is shown as text
 */
record DocumentHeading(
        int level, String text, String slug, TextRange range, int lineIndex, int bodyIndex, boolean hasSpace) {}

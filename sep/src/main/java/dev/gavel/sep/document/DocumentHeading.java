package dev.gavel.sep.document;

/**
 * A heading of a document: level, text, slug and position.
 *
 * @param text the text without markup
 * @param lineIndex the index of its line in the document, counted from zero
 * @param bodyIndex the index of the first line after the heading
 * @param hasSpace whether there is a space between its mark and its text, without which Markdown shows it as text
 */
record DocumentHeading(
        int level, String text, String slug, TextRange range, int lineIndex, int bodyIndex, boolean hasSpace) {}

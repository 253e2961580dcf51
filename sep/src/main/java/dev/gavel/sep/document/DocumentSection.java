package dev.gavel.sep.document;

/**
 * A section of a document: its slug, heading, position, and whether it has content.
 *
 * @param slug by which it is known, whatever words its heading has for it
 * @param heading its heading, without marks
 * @param level the heading's: one is the title's
 * @param range where the heading stands
 * @param hasContent whether there is anything in it
 * @param filled whether what is in it is more than a placeholder
 * @param nested whether it stands within another section
 */
public record DocumentSection(
        String slug, String heading, int level, TextRange range, boolean hasContent, boolean filled, boolean nested) {}

package dev.gavel.sep.document;

/**
 * A section of a document: its slug, heading, position, and whether it has content.
 *
 * @param slug the standard slug of the section, whatever the wording of its heading
 * @param heading the text of the heading, without markup
 * @param level the level of the heading; the title has level one
 * @param range the range of the heading
 * @param lastLine the number of its last line, counted from one; its subsections are part of it
 * @param hasContent whether the section has any content
 * @param filled whether the content is more than a placeholder
 * @param nested whether the section is inside another section
 */
public record DocumentSection(
        String slug,
        String heading,
        int level,
        TextRange range,
        int lastLine,
        boolean hasContent,
        boolean filled,
        boolean nested) {}

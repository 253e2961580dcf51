package dev.gavel.sep.document;

/**
 * A section of a document.
 *
 * @param slug by which it is known, whatever words its heading has for it
 * @param words its heading, without marks
 * @param level the heading's: one is the title's
 * @param spot where the heading stands
 * @param content whether there is anything in it
 * @param filled whether what is in it is more than a placeholder
 * @param nested whether it stands within another section
 */
public record Section(
        String slug, String words, int level, Spot spot, boolean content, boolean filled, boolean nested) {}

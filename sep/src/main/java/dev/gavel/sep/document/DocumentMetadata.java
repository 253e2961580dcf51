package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The metadata of a document: number, title, status, type, authors, sponsor, dates, links, sections and summary.
 * Immutable.
 *
 * @param number the number in the title; empty if there is none or only a placeholder
 * @param title the title without the number; empty if there is none
 * @param status the status as written, without markup
 * @param sponsor empty if the document names none
 * @param sections the slugs of the sections that have content; alternative headings are mapped to the standard slug
 * @param summary the title, and on the next line abstract and motivation, as plain text; the similarity index uses it
 */
public record DocumentMetadata(
        OptionalInt number,
        String title,
        Optional<String> status,
        Optional<String> type,
        List<Author> authors,
        Optional<Author> sponsor,
        Optional<String> created,
        Optional<String> discussion,
        Optional<String> pr,
        Set<String> sections,
        DeclaredSepRelations declaredSepRelations,
        String summary) {
    public DocumentMetadata {
        authors = List.copyOf(authors);
        sections = Set.copyOf(sections);
    }
}

package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The metadata of a document: number, title, status, type, authors, sponsor, dates, links, sections and summary.
 * Immutable.
 *
 * @param number the number in its title; none where there is only a placeholder
 * @param title without the number; empty where there is none
 * @param status the word as it is written, without marks around it
 * @param sponsor none where the document says that it has none
 * @param sections the slugs of the sections that have content, other words for one mapped to the one
 * @param summary title, and on the next line abstract and motivation, as plain text: what similarity is found by
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
        LinkedSepNumbers linkedSepNumbers,
        String summary) {
    public DocumentMetadata {
        authors = List.copyOf(authors);
        sections = Set.copyOf(sections);
    }
}

package dev.gavel.sep.render;

import java.util.List;

/**
 * A document rendered to HTML, with its headings for a table of contents. Immutable.
 *
 * @param headings those written as Markdown, in their order
 */
public record RenderedDocument(SafeHtml html, List<Heading> headings) {
    public RenderedDocument {
        headings = List.copyOf(headings);
    }

    /**
     * A heading of the document.
     *
     * @param words without marks, and as somebody wrote them
     * @param id where it is on the page
     */
    public record Heading(int level, String words, String id) {}
}

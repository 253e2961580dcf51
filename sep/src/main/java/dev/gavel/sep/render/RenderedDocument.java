package dev.gavel.sep.render;

import java.util.List;

/**
 * A document rendered to HTML, with its headings for a table of contents. Immutable.
 *
 * @param headings the headings written as Markdown, in document order
 */
public record RenderedDocument(SafeHtml html, List<Heading> headings) {
    public RenderedDocument {
        headings = List.copyOf(headings);
    }

    /**
     * A heading of the document.
     *
     * @param words the text of the heading without markup; untrusted
     * @param id the element id of the heading in the page
     */
    public record Heading(int level, String words, String id) {}
}

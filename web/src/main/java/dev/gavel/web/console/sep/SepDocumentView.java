package dev.gavel.web.console.sep;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.render.RenderedDocument;
import dev.gavel.sep.render.SafeHtml;
import java.util.List;
import java.util.Optional;

/**
 * A SEP's document as rendered HTML with its table of contents, or as plain text.
 *
 * @param html nothing where it is shown as it was written
 * @param text as it was written, where it is shown so
 * @param plainReason why it is, to the reader
 * @param headings its headings that are worth a line
 */
public record SepDocumentView(Optional<SafeHtml> html, String text, String plainReason, List<Heading> headings) {
    private static final int MOST_HEADINGS = 60;
    private static final int LONGEST_HEADING = 100;
    private static final int DEEPEST_HEADING = 3;

    public SepDocumentView {
        headings = List.copyOf(headings);
    }

    /** A heading, in a list of them. */
    public record Heading(int level, String words, String id) {}

    /** A document, drawn. The worst of them take seconds. */
    public static SepDocumentView of(String document) {
        RenderedDocument renderedDocument = MarkdownRenderer.renderWithHeadings(document);
        return new SepDocumentView(Optional.of(renderedDocument.html()), "", "", headings(renderedDocument));
    }

    /** A document as it was written. */
    public static SepDocumentView plain(String document, String why) {
        return new SepDocumentView(Optional.empty(), SafeText.lines(document), why, List.of());
    }

    /** The document as HTML; what may be wider than the page is scrolled, which must be possible by keyboard. */
    public String scrollableHtml() {
        // Sanitised HTML has these words as marks alone.
        return html.map(SafeHtml::html)
                .orElse("")
                .replace("<pre>", "<pre tabindex=\"0\">")
                .replace("<table>", "<table tabindex=\"0\">");
    }

    /** The title is the page's own heading already. */
    private static List<Heading> headings(RenderedDocument renderedDocument) {
        return renderedDocument.headings().stream()
                .filter(heading -> heading.level() > 1 && heading.level() <= DEEPEST_HEADING)
                .limit(MOST_HEADINGS)
                .map(heading ->
                        new Heading(heading.level(), SafeText.brief(heading.words(), LONGEST_HEADING), heading.id()))
                .toList();
    }
}

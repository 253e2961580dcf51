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
 * @param html empty if the document is shown as plain text
 * @param text the source of the document, if it is shown as plain text
 * @param plainReason tells the reader why the document is shown as plain text
 * @param headings the entries of the table of contents
 */
public record SepDocumentView(Optional<SafeHtml> html, String text, String plainReason, List<Heading> headings) {
    private static final int MAX_HEADINGS = 60;
    private static final int MAX_HEADING_LENGTH = 100;
    private static final int MAX_HEADING_LEVEL = 3;

    public SepDocumentView {
        headings = List.copyOf(headings);
    }

    /** An entry of the table of contents. */
    public record Heading(int level, String text, String id) {}

    /** Renders a document. The worst documents take seconds. */
    public static SepDocumentView of(String document) {
        RenderedDocument renderedDocument = MarkdownRenderer.renderWithHeadings(document);
        return new SepDocumentView(Optional.of(renderedDocument.html()), "", "", headings(renderedDocument));
    }

    /** Returns a view of the document as plain text. */
    public static SepDocumentView plain(String document, String reason) {
        return new SepDocumentView(Optional.empty(), SafeText.lines(document), reason, List.of());
    }

    /** The document as HTML. Blocks that may be wider than the page can be scrolled by keyboard. */
    public String scrollableHtml() {
        // Sanitized HTML contains these strings only as tags.
        return html.map(SafeHtml::html)
                .orElse("")
                .replace("<pre>", "<pre tabindex=\"0\">")
                .replace("<table>", "<table tabindex=\"0\">");
    }

    /** Leaves out the title, which is already the heading of the page. */
    private static List<Heading> headings(RenderedDocument renderedDocument) {
        return renderedDocument.headings().stream()
                .filter(heading -> heading.level() > 1 && heading.level() <= MAX_HEADING_LEVEL)
                .limit(MAX_HEADINGS)
                .map(heading ->
                        new Heading(heading.level(), SafeText.brief(heading.words(), MAX_HEADING_LENGTH), heading.id()))
                .toList();
    }
}

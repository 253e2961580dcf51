package dev.gavel.console.sep;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.render.Drawn;
import dev.gavel.sep.render.Renderer;
import dev.gavel.sep.render.SafeHtml;
import java.util.List;
import java.util.Optional;

/**
 * A SEP's document, to be read.
 *
 * @param html nothing where it is shown as it was written
 * @param text as it was written, where it is shown so
 * @param why why it is, to the reader
 * @param contents its headings that are worth a line
 */
public record Paper(Optional<SafeHtml> html, String text, String why, List<Heading> contents) {
    private static final int MOST_HEADINGS = 60;
    private static final int LONGEST_HEADING = 100;
    private static final int DEEPEST_HEADING = 3;

    public Paper {
        contents = List.copyOf(contents);
    }

    /** A heading, in a list of them. */
    public record Heading(int level, String words, String id) {}

    /** A document, drawn. The worst of them take seconds. */
    public static Paper of(String document) {
        Drawn drawn = Renderer.draw(document);
        return new Paper(Optional.of(drawn.html()), "", "", contents(drawn));
    }

    /** A document as it was written. */
    public static Paper plain(String document, String why) {
        return new Paper(Optional.empty(), SafeText.lines(document), why, List.of());
    }

    /** The document as HTML; what may be wider than the page is scrolled, which must be possible by keyboard. */
    public String drawn() {
        // Sanitised HTML has these words as marks alone.
        return html.map(SafeHtml::html)
                .orElse("")
                .replace("<pre>", "<pre tabindex=\"0\">")
                .replace("<table>", "<table tabindex=\"0\">");
    }

    /** The title is the page's own heading already. */
    private static List<Heading> contents(Drawn drawn) {
        return drawn.headings().stream()
                .filter(heading -> heading.level() > 1 && heading.level() <= DEEPEST_HEADING)
                .limit(MOST_HEADINGS)
                .map(heading ->
                        new Heading(heading.level(), SafeText.brief(heading.words(), LONGEST_HEADING), heading.id()))
                .toList();
    }
}

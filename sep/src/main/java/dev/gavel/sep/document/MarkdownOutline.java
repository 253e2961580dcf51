package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Document;
import org.commonmark.node.Heading;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.SourceSpan;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * The headings and link definitions of a text as a Markdown parser finds them, and so as people see them. Immutable.
 *
 * @param headings the headings that are in no list and no quotation
 * @param linkDefinitions the definitions of links, which apply to the whole text, wherever they are
 */
record MarkdownOutline(List<OutlineHeading> headings, List<String> linkDefinitions) {
    private static final int MAX_DEPTH = 100;
    private static final Parser PARSER = Parser.builder()
            .maxOpenBlockParsers(MAX_DEPTH)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS)
            .inlineParserFactory(_ -> (_, _) -> {})
            .build();

    /**
     * A heading.
     *
     * @param line its first line, counted from one
     */
    record OutlineHeading(int line, int level) {}

    MarkdownOutline {
        headings = List.copyOf(headings);
        linkDefinitions = List.copyOf(linkDefinitions);
    }

    static MarkdownOutline of(String text) {
        List<OutlineHeading> headings = new ArrayList<>();
        List<String> linkDefinitions = new ArrayList<>();
        PARSER.parse(text).accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (heading.getParent() instanceof Document) {
                    heading.getSourceSpans().stream()
                            .mapToInt(SourceSpan::getLineIndex)
                            .min()
                            .ifPresent(index -> headings.add(new OutlineHeading(index + 1, heading.getLevel())));
                }
            }

            @Override
            public void visit(LinkReferenceDefinition definition) {
                linkDefinitions.add("[" + definition.getLabel() + "]: " + definition.getDestination() + " "
                        + Objects.requireNonNullElse(definition.getTitle(), ""));
            }
        });
        return new MarkdownOutline(headings, linkDefinitions);
    }
}

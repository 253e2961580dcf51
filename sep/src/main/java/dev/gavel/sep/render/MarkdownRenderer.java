package dev.gavel.sep.render;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.SectionNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.autolink.AutolinkExtension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** Renders Markdown with tables, strikethrough and automatic links to sanitized HTML. Thread-safe. */
public final class MarkdownRenderer {
    /** The prefix of every id in a rendered document, so that no id equals another id on the page. */
    public static final String ID_PREFIX = "sep-text-";

    // The maximum nesting depth. Rendering takes a stack as deep as the nesting, and people do not write deeper texts.
    private static final int MAX_DEPTH = 100;
    private static final int MAX_ID_LENGTH = 80;

    /** The number of lists and quotations within each other to which raw HTML may nest. */
    private static final int MAX_INDENTATION = 10;

    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), StrikethroughExtension.create(), AutolinkExtension.create());
    /** The parser of all documents; thread-safe. */
    static final Parser PARSER = Parser.builder()
            .extensions(EXTENSIONS)
            .maxOpenBlockParsers(MAX_DEPTH)
            .maxInlineNesting(MAX_DEPTH)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();
    // Escaping an unclosed tag can reveal another one after it.
    private static final int MAX_ESCAPE_PASSES = 8;

    private MarkdownRenderer() {}

    /** Renders a text. A text longer than {@link Document#MAX_LENGTH} is cut. */
    public static SafeHtml render(String markdown) {
        return renderWithHeadings(markdown).html();
    }

    /** Renders a text and lists its headings. */
    public static RenderedDocument renderWithHeadings(String markdown) {
        String text = markdown.length() > Document.MAX_LENGTH ? markdown.substring(0, Document.MAX_LENGTH) : markdown;
        Node tree = parse(FrontMatterEscaper.asCodeBlock(text));
        if (tree == null || isTooDeep(tree)) {
            return renderAsPlainText(text);
        }
        List<RenderedDocument.Heading> headings = new ArrayList<>();
        HtmlSanitizer.Result result = HtmlSanitizer.sanitize(html(tree, headings, false));
        if (!isReadable(tree, result)) {
            headings.clear();
            result = HtmlSanitizer.sanitize(html(tree, headings, true));
        }
        return new RenderedDocument(new SafeHtml(result.html()), headings);
    }

    /**
     * Whether the raw HTML of a text would hide other text even without the tags of {@link TextHidingTagFinder}, so that
     * all raw HTML is shown as text.
     */
    public static boolean showsHtmlAsText(String markdown) {
        Node tree = parse(FrontMatterEscaper.asCodeBlock(markdown));
        return tree != null
                && !isTooDeep(tree)
                && !isReadable(tree, HtmlSanitizer.sanitize(html(tree, new ArrayList<>(), false)));
    }

    /** Whether raw HTML neither hides text nor indents it so far that it leaves its place. Markdown alone may nest deeper. */
    private static boolean isReadable(Node tree, HtmlSanitizer.Result result) {
        return result.complete()
                && (result.indentation() <= MAX_INDENTATION
                        || result.indentation()
                                == HtmlSanitizer.sanitize(html(tree, new ArrayList<>(), true))
                                        .indentation());
    }

    /**
     * Parses a text, and shows raw HTML that would hide other text as text. Returns null if too many unclosed tags follow
     * each other.
     */
    private static @Nullable Node parse(String markdown) {
        String text = markdown;
        for (int i = 0; i < MAX_ESCAPE_PASSES; i++) {
            Node tree = PARSER.parse(text);
            List<TextHidingTag> tags = TextHidingTagFinder.find(tree, text);
            if (tags.isEmpty()) {
                return tree;
            }
            StringBuilder escaped = new StringBuilder();
            int from = 0;
            for (TextHidingTag tag : tags) {
                escaped.append(text, from, tag.offset()).append("&lt;");
                from = tag.offset() + 1;
            }
            text = escaped.append(text.substring(from)).toString();
        }
        return null;
    }

    private static String html(Node tree, List<RenderedDocument.Heading> headings, boolean htmlAsText) {
        Map<String, Integer> slugCounts = new HashMap<>();
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .sanitizeUrls(true)
                .escapeHtml(htmlAsText)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Heading heading) {
                        String words = words(heading);
                        String id = id(words, slugCounts);
                        attributes.put("id", id);
                        headings.add(new RenderedDocument.Heading(heading.getLevel(), words, ID_PREFIX + id));
                    }
                })
                .build()
                .render(tree);
    }

    private static String words(Heading heading) {
        StringBuilder words = new StringBuilder();
        walk(heading, (node, depth) -> {
            switch (node) {
                case Text text -> words.append(text.getLiteral());
                case Code code -> words.append(code.getLiteral());
                default -> {}
            }
            return words.length() < MAX_ID_LENGTH;
        });
        return words.toString();
    }

    private static String id(String words, Map<String, Integer> slugCounts) {
        String slug = SectionNames.plainSlug(words);
        int before = slugCounts.merge(slug, 1, Integer::sum) - 1;
        return before == 0 ? slug : slug + "-" + before;
    }

    private static boolean isTooDeep(Node root) {
        return !walk(root, (node, depth) -> depth <= MAX_DEPTH);
    }

    /** Visits a node; returns whether to continue. */
    @FunctionalInterface
    private interface NodeVisitor {
        boolean visit(Node node, int depth);
    }

    /**
     * Visits all nodes below a root in document order, without recursion. Returns whether every visit returned true.
     */
    private static boolean walk(Node root, NodeVisitor nodeVisitor) {
        Node node = root.getFirstChild();
        int depth = 1;
        while (node != null) {
            if (!nodeVisitor.visit(node, depth)) {
                return false;
            }
            if (node.getFirstChild() != null) {
                node = node.getFirstChild();
                depth++;
                continue;
            }
            while (depth > 1 && node.getNext() == null) {
                node = node.getParent();
                depth--;
            }
            node = node.getNext();
        }
        return true;
    }

    /** Returns the text unrendered, for a document that cannot be rendered. */
    private static RenderedDocument renderAsPlainText(String text) {
        String html = "<pre>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</pre>";
        return new RenderedDocument(new SafeHtml(HtmlSanitizer.sanitize(html).html()), List.of());
    }
}

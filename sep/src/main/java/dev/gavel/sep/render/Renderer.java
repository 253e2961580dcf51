package dev.gavel.sep.render;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.SectionName;
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
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** Makes pages of Markdown: CommonMark with tables, struck words and addresses as links; then sanitised. Thread-safe. */
public final class Renderer {
    /** What every id in a document begins with, so that none can be that of something else on the page. */
    public static final String PREFIX = "sep-text-";

    // What is nested deeper is nothing anybody wrote for people; drawing it takes a stack as deep.
    private static final int DEEPEST = 100;
    private static final int LONGEST_ID = 80;
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), StrikethroughExtension.create(), AutolinkExtension.create());
    private static final Parser PARSER = Parser.builder()
            .extensions(EXTENSIONS)
            .maxOpenBlockParsers(DEEPEST)
            .maxInlineNesting(DEEPEST)
            .build();

    private Renderer() {}

    /** A text as a page shows it; of one that is too long, the beginning. */
    public static SafeHtml render(String markdown) {
        String text = markdown.length() > Document.LIMIT ? markdown.substring(0, Document.LIMIT) : markdown;
        Node tree = PARSER.parse(Front.without(text));
        return deep(tree) ? plain(text) : new SafeHtml(Policy.sanitize(html(tree)));
    }

    private static String html(Node tree) {
        Map<String, Integer> taken = new HashMap<>();
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .sanitizeUrls(true)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Heading heading) {
                        attributes.put("id", id(heading, taken));
                    }
                })
                .build()
                .render(tree);
    }

    private static String id(Heading heading, Map<String, Integer> taken) {
        StringBuilder words = new StringBuilder();
        Node node = heading.getFirstChild();
        while (node != null && words.length() < LONGEST_ID) {
            switch (node) {
                case Text text -> words.append(text.getLiteral());
                case Code code -> words.append(code.getLiteral());
                default -> {}
            }
            node = following(node, heading);
        }
        String slug = SectionName.plainSlug(words.toString());
        int before = taken.merge(slug, 1, Integer::sum) - 1;
        return before == 0 ? slug : slug + "-" + before;
    }

    /** The next node of a tree in the order of the text; nothing behind the root's last. */
    private static @Nullable Node following(Node node, Node root) {
        if (node.getFirstChild() != null) {
            return node.getFirstChild();
        }
        Node at = node;
        while (at != root && at.getNext() == null) {
            at = at.getParent();
        }
        return at == root ? null : at.getNext();
    }

    private static boolean deep(Node root) {
        int depth = 0;
        Node node = root;
        while (true) {
            if (node.getFirstChild() != null) {
                node = node.getFirstChild();
                depth++;
                if (depth > DEEPEST) {
                    return true;
                }
                continue;
            }
            while (node != root && node.getNext() == null) {
                node = node.getParent();
                depth--;
            }
            if (node == root) {
                return false;
            }
            node = node.getNext();
        }
    }

    /** What could not be drawn is shown as it was written. */
    private static SafeHtml plain(String text) {
        return new SafeHtml(Policy.sanitize("<pre>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</pre>"));
    }
}

package dev.gavel.sep.render;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;

/**
 * Finds raw HTML in a Markdown text that would hide the text after it: elements whose content a browser does not render
 * as HTML (the tag filter of GitHub Flavored Markdown), tags and comments that are never closed, {@code <details>}
 * without an end tag, and comments, instructions and declarations about whose end programs disagree. Stateless.
 */
public final class TextHidingTagFinder {
    // The elements of that tag filter, and the others that our HTML sanitizer removes with their text.
    private static final Set<String> FILTERED = Set.of(
            "title",
            "textarea",
            "style",
            "xmp",
            "iframe",
            "noembed",
            "noframes",
            "script",
            "plaintext",
            "listing",
            "noscript",
            "object");

    private TextHidingTagFinder() {}

    /**
     * Returns all such tags of a document, in document order; in each piece of raw HTML only the first, and each
     * {@code <details>}.
     */
    public static List<TextHidingTag> find(String markdown) {
        return find(MarkdownRenderer.PARSER.parse(FrontMatterEscaper.blankedOut(markdown)), markdown);
    }

    /** Returns the offset of the first raw HTML in a document; 0 if there is none. */
    public static int firstHtml(String markdown) {
        List<Node> html = new ArrayList<>();
        MarkdownRenderer.PARSER.parse(FrontMatterEscaper.blankedOut(markdown)).accept(new AbstractVisitor() {
            @Override
            public void visit(HtmlBlock block) {
                html.add(block);
            }

            @Override
            public void visit(HtmlInline inline) {
                html.add(inline);
            }
        });
        return html.isEmpty() ? 0 : html.getFirst().getSourceSpans().getFirst().getInputIndex();
    }

    /** Returns all such tags of a tree that was parsed from this text with source spans. */
    static List<TextHidingTag> find(Node tree, String text) {
        List<TextHidingTag> tags = new ArrayList<>();
        DetailsTagMatcher details = new DetailsTagMatcher();
        tree.accept(new AbstractVisitor() {
            @Override
            public void visit(HtmlBlock block) {
                firstIn(block, text, details).ifPresent(tags::add);
            }

            @Override
            public void visit(HtmlInline inline) {
                firstIn(inline, text, details).ifPresent(tags::add);
            }
        });
        tags.addAll(details.unclosed());
        tags.sort(Comparator.comparingInt(TextHidingTag::offset));
        return tags;
    }

    private static Optional<TextHidingTag> firstIn(Node node, String text, DetailsTagMatcher details) {
        StringBuilder html = new StringBuilder();
        List<Integer> offsets = new ArrayList<>();
        for (SourceSpan span : node.getSourceSpans()) {
            for (int i = span.getInputIndex(); i < span.getInputIndex() + span.getLength(); i++) {
                html.append(text.charAt(i));
                offsets.add(i);
            }
            html.append('\n');
            offsets.add(span.getInputIndex() + span.getLength());
        }
        return firstIn(html.toString(), (at, name, closing) -> details.add(node, offsets.get(at), name, closing))
                .map(tag -> new TextHidingTag(offsets.get(tag.offset()), tag.start(), tag.closed()));
    }

    /** Receives the other complete tags. */
    @FunctionalInterface
    private interface TagListener {
        void onTag(int offset, String name, boolean closing);
    }

    private static Optional<TextHidingTag> firstIn(String html, TagListener listener) {
        Optional<TextHidingTag> first = Optional.empty();
        int[] tagEnds = tagEnds(html);
        int lastCommentEnd = html.lastIndexOf("-->");
        int at = html.indexOf('<');
        while (at >= 0) {
            boolean comment = html.startsWith("<!--", at);
            int end = !comment ? tagEnds[at + 1] : at + 4 <= lastCommentEnd ? html.indexOf("-->", at + 4) : -1;
            String name = name(html, at);
            boolean closing = html.startsWith("</", at);
            Optional<String> disputed = disputedStart(html, at, end);
            if (disputed.isPresent()) {
                first = first.isPresent() ? first : Optional.of(new TextHidingTag(at, disputed.get(), true));
            } else if (FILTERED.contains(name.toLowerCase(Locale.ROOT)) || (end < 0 && isMarkup(html, at))) {
                String start = comment ? "<!--" : (closing ? "</" : "<") + name;
                first = first.isPresent() ? first : Optional.of(new TextHidingTag(at, start, end >= 0));
            } else if (!name.isEmpty()) {
                listener.onTag(at, name.toLowerCase(Locale.ROOT), closing);
            }
            at = html.indexOf('<', end < 0 ? at + 1 : end);
        }
        return first;
    }

    /**
     * Returns the markup if programs disagree about its end, so that one of them hides text that another one shows:
     * comments that begin with {@code <!-->} or {@code <!--->} or contain {@code --!>}, instructions and declarations.
     *
     * @param end where a comment ends by its {@code -->}; negative if it does not
     */
    private static Optional<String> disputedStart(String html, int at, int end) {
        if (html.startsWith("<!--", at)) {
            int content = at + 4;
            if (html.startsWith(">", content) || html.startsWith("->", content)) {
                return Optional.of(html.startsWith(">", content) ? "<!--" : "<!---");
            }
            return end >= content && html.indexOf("--!>", content, end) >= 0 ? Optional.of("--!") : Optional.empty();
        }
        return html.startsWith("<?", at) || html.startsWith("<!", at)
                ? Optional.of(html.substring(at, at + 2))
                : Optional.empty();
    }

    /** Whether a {@code <} begins a tag, a declaration or an instruction, and not text such as {@code a < b}. */
    private static boolean isMarkup(String html, int at) {
        return !name(html, at).isEmpty() || html.startsWith("<!", at) || html.startsWith("<?", at);
    }

    private static String name(String html, int at) {
        int begin = html.startsWith("</", at) ? at + 2 : at + 1;
        int end = begin;
        while (end < html.length() && isNameCharacter(html.charAt(end), end > begin)) {
            end++;
        }
        return html.substring(begin, end);
    }

    private static boolean isNameCharacter(char each, boolean digits) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (digits && ((each >= '0' && each <= '9') || each == '-'));
    }

    /**
     * Returns, for each offset inside a tag, the offset of the {@code >} that ends the tag and is not inside quotes; -1
     * if there is none. Computed from the end in one pass, because a search for each tag would take quadratic time.
     */
    private static int[] tagEnds(String html) {
        int[] ends = new int[html.length() + 1];
        ends[html.length()] = -1;
        int inDoubleQuotes = -1;
        int inSingleQuotes = -1;
        for (int i = html.length() - 1; i >= 0; i--) {
            int next = ends[i + 1];
            ends[i] = switch (html.charAt(i)) {
                case '>' -> i;
                case '"' -> inDoubleQuotes;
                case '\'' -> inSingleQuotes;
                default -> next;
            };
            // If a quotation began before this character, its end is the start of the rest of the tag.
            inDoubleQuotes = html.charAt(i) == '"' ? next : inDoubleQuotes;
            inSingleQuotes = html.charAt(i) == '\'' ? next : inSingleQuotes;
        }
        return ends;
    }
}

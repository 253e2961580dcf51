package dev.gavel.sep.render;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Block;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/**
 * Matches the {@code <details>} tags in the raw HTML of a document with their end tags. A browser shows only the summary
 * of {@code <details>} until the reader opens it, so one without an end tag hides the rest of the document. Not
 * thread-safe.
 */
final class DetailsTagMatcher {
    private static final String DETAILS = "details";

    // HTML ignores an end tag inside these elements if the element to end is outside. The parts of a table are such
    // elements because the sanitizer adds a missing <table>.
    private static final Set<String> SCOPES = Set.of(
            "table",
            "caption",
            "colgroup",
            "thead",
            "tbody",
            "tfoot",
            "tr",
            "td",
            "th",
            "template",
            "applet",
            "marquee",
            "select",
            "svg",
            "math");

    private final Deque<OpenElement> open = new ArrayDeque<>();
    private final Map<String, Integer> openScopes = new HashMap<>();
    private final List<OpenElement> unclosed = new ArrayList<>();

    private record OpenElement(Node container, int offset, String name) {
        boolean isDetails() {
            return name.equals(DETAILS);
        }
    }

    /** Adds the next tag of the document. */
    void add(Node node, int offset, String name, boolean closing) {
        if (!name.equals(DETAILS) && !SCOPES.contains(name)) {
            return;
        }
        Node container = container(node);
        if (!closing) {
            open.push(new OpenElement(container, offset, name));
            openScopes.merge(name, 1, Integer::sum);
        } else if (name.equals(DETAILS)) {
            OpenElement last = open.peek();
            if (last != null && last.isDetails() && last.container().equals(container)) {
                open.pop();
            }
        } else if (openScopes.getOrDefault(name, 0) > 0) {
            closeScope(name);
        }
    }

    /** Closes the last element with this name and everything in it. */
    private void closeScope(String name) {
        OpenElement last;
        do {
            last = open.pop();
            openScopes.merge(last.name(), -1, Integer::sum);
            if (last.isDetails()) {
                unclosed.add(last);
            }
        } while (!last.name().equals(name));
    }

    /** Returns the tags without an end tag. */
    List<TextHidingTag> unclosed() {
        return Stream.concat(unclosed.stream(), open.stream().filter(OpenElement::isDetails))
                .map(element -> new TextHidingTag(element.offset(), "<" + DETAILS, false))
                .toList();
    }

    /** Returns the part of the document in which both tags of an element must be, such as a list item or a cell. */
    private static Node container(Node node) {
        Node container = node.getParent();
        while (container.getParent() != null
                && !(container instanceof TableCell)
                && (container instanceof Paragraph || !(container instanceof Block))) {
            container = container.getParent();
        }
        return container;
    }
}

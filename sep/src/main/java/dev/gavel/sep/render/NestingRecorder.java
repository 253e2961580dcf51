package dev.gavel.sep.render;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.owasp.html.HtmlStreamEventReceiver;
import org.owasp.html.HtmlStreamEventReceiverWrapper;

/**
 * Records how deep sanitized HTML nests elements that make text smaller or move it to the side. Deep nesting makes text
 * unreadable, or moves it out of its place on the page. Not thread-safe.
 */
@SuppressWarnings("try") // the wrapper is closeable, but is never closed
final class NestingRecorder extends HtmlStreamEventReceiverWrapper {
    /** Elements that browsers show smaller than the text around them. */
    private static final Set<String> SMALLER = Set.of("small", "sub", "sup", "code", "kbd", "samp");

    /** Elements with borders and space on all sides, which Markdown does not nest. */
    private static final Set<String> BOXES = Set.of("pre", "table");

    private static final Set<String> INDENTED = Set.of("ul", "ol", "dl", "dd", "blockquote");

    /** Text in three of them has about half of its size. */
    private static final int MAX_SMALLER = 3;

    private static final int MAX_BOXES = 3;

    private final Deque<String> open = new ArrayDeque<>();
    private int smaller;
    private int boxes;
    private int indented;
    private int deepestIndented;
    private boolean readable = true;

    NestingRecorder(HtmlStreamEventReceiver next) {
        super(next);
    }

    @Override
    public void openTag(String element, List<String> attributes) {
        if (SMALLER.contains(element) || BOXES.contains(element) || INDENTED.contains(element)) {
            open.push(element);
            count(element, 1);
            readable &= smaller <= MAX_SMALLER && boxes <= MAX_BOXES;
            deepestIndented = Math.max(deepestIndented, indented);
        }
        super.openTag(element, attributes);
    }

    @Override
    public void closeTag(String element) {
        // The sanitizer closes all tags in order.
        if (element.equals(open.peek())) {
            open.pop();
            count(element, -1);
        }
        super.closeTag(element);
    }

    private void count(String element, int difference) {
        smaller += SMALLER.contains(element) ? difference : 0;
        boxes += BOXES.contains(element) ? difference : 0;
        indented += INDENTED.contains(element) ? difference : 0;
    }

    /** Whether no text is in so many elements that it becomes unreadable. */
    boolean isReadable() {
        return readable;
    }

    /** The depth of the deepest nesting of elements that indent their content. */
    int indentation() {
        return deepestIndented;
    }
}

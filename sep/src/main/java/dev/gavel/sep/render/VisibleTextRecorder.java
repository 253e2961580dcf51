package dev.gavel.sep.render;

import java.util.List;
import org.owasp.html.HtmlStreamEventReceiver;
import org.owasp.html.HtmlStreamEventReceiverWrapper;

/**
 * Records the text of HTML, and where {@code <details>} elements begin and end in it. The HTML before and after
 * sanitizing hides the same text if the records are equal. Not thread-safe.
 */
@SuppressWarnings("try") // the wrapper is closeable, but is never closed
final class VisibleTextRecorder extends HtmlStreamEventReceiverWrapper {
    private static final String DETAILS = "details";
    // These characters are not part of the text, because hidden characters are escaped before.
    private static final char DETAILS_START = 1;
    private static final char DETAILS_END = 2;

    private final StringBuilder recorded = new StringBuilder();
    private int openDetails;

    VisibleTextRecorder(HtmlStreamEventReceiver next) {
        super(next);
    }

    @Override
    public void openTag(String element, List<String> attributes) {
        if (element.equals(DETAILS)) {
            openDetails++;
            recorded.append(DETAILS_START);
        }
        super.openTag(element, attributes);
    }

    @Override
    public void closeTag(String element) {
        // Browsers ignore an end tag without a start tag.
        if (element.equals(DETAILS) && openDetails > 0) {
            openDetails--;
            recorded.append(DETAILS_END);
        }
        super.closeTag(element);
    }

    @Override
    public void text(String text) {
        text.codePoints().filter(each -> !Character.isWhitespace(each)).forEach(recorded::appendCodePoint);
        super.text(text);
    }

    /** Returns the text without white space, with the boundaries of {@code <details>}. */
    String recorded() {
        return recorded.toString();
    }
}

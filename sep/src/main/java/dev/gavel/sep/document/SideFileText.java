package dev.gavel.sep.document;

import java.util.Optional;

/**
 * Joins the text of a document and of the file beside it that contains its preamble: that file becomes the front matter
 * of the joined text. Both texts can be restored byte for byte. Stateless.
 */
public final class SideFileText {
    private static final String OPENING = "---\n";

    /** Ends a side file with a line break at its end. */
    private static final String CLOSING = "---\n";

    /** Ends a side file without a line break at its end. */
    private static final String CLOSING_WITHOUT_BREAK = "...\n";

    private SideFileText() {}

    /** The text of a side file and of its document. */
    public record Parts(String side, String document) {}

    /** Returns the joined text; empty if the side file contains a line that would end the front matter. */
    public static Optional<String> join(String side, String document) {
        boolean ends =
                side.lines().map(String::stripTrailing).anyMatch(line -> line.equals("---") || line.equals("..."));
        return ends
                ? Optional.empty()
                : Optional.of(
                        OPENING + side + (side.endsWith("\n") ? CLOSING : "\n" + CLOSING_WITHOUT_BREAK) + document);
    }

    /** Returns the texts that were joined; empty if the text was not joined. */
    public static Optional<Parts> split(String joined) {
        if (!joined.startsWith(OPENING)) {
            return Optional.empty();
        }
        int line = OPENING.length();
        while (line < joined.length()) {
            boolean closed = joined.startsWith(CLOSING, line);
            if (closed || joined.startsWith(CLOSING_WITHOUT_BREAK, line)) {
                return Optional.of(new Parts(
                        joined.substring(OPENING.length(), closed ? line : line - 1),
                        joined.substring(line + CLOSING.length())));
            }
            int end = joined.indexOf('\n', line);
            if (end < 0) {
                return Optional.empty();
            }
            line = end + 1;
        }
        return Optional.empty();
    }
}

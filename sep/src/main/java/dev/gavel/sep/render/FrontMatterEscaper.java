package dev.gavel.sep.render;

import org.jspecify.annotations.Nullable;

/** Escapes the YAML front matter of a document, so that the Markdown parser does not misread it. Stateless. */
final class FrontMatterEscaper {
    private static final int MOST_LINES = 1_000;

    private FrontMatterEscaper() {}

    static String asCodeBlock(String text) {
        String begin = text.startsWith("\uFEFF") ? text.substring(1) : text;
        Bounds bounds = bounds(begin);
        if (bounds == null) {
            return begin;
        }
        String front = begin.substring(begin.indexOf('\n') + 1, bounds.closingLine());
        return front.contains("```") || !front.contains(":")
                ? begin
                : "```yaml\n" + front + "```\n\n" + begin.substring(bounds.end());
    }

    /** Returns the text with spaces instead of its front matter, so that offsets and line numbers do not change. */
    static String blankedOut(String text) {
        Bounds bounds = bounds(text);
        return bounds == null
                ? text
                : text.substring(0, bounds.end()).replaceAll("[^\\r\\n]", " ") + text.substring(bounds.end());
    }

    /** Where front matter ends: the offset of its closing line, and the offset after that line. */
    private record Bounds(int closingLine, int end) {}

    private static @Nullable Bounds bounds(String text) {
        int first = text.startsWith("\uFEFF") ? 1 : 0;
        if (!text.startsWith("---\n", first) && !text.startsWith("---\r\n", first)) {
            return null;
        }
        int line = text.indexOf('\n') + 1;
        for (int i = 0; i < MOST_LINES && line > 0 && line < text.length(); i++) {
            int end = text.indexOf('\n', line);
            String words = text.substring(line, end < 0 ? text.length() : end).stripTrailing();
            if (words.equals("---") || words.equals("...")) {
                return new Bounds(line, end < 0 ? text.length() : end + 1);
            }
            line = end < 0 ? -1 : end + 1;
        }
        return null;
    }
}

package dev.gavel.sep.render;

/**
 * Escapes the YAML front matter of a document as a code block, so that the Markdown renderer does not misread it.
 * Stateless.
 */
final class FrontMatterEscaper {
    private static final int MOST_LINES = 1_000;

    private FrontMatterEscaper() {}

    static String asCodeBlock(String text) {
        String begin = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (!begin.startsWith("---\n") && !begin.startsWith("---\r\n")) {
            return begin;
        }
        int line = begin.indexOf('\n') + 1;
        for (int i = 0; i < MOST_LINES && line > 0 && line < begin.length(); i++) {
            int end = begin.indexOf('\n', line);
            String words = begin.substring(line, end < 0 ? begin.length() : end).stripTrailing();
            if (words.equals("---") || words.equals("...")) {
                String front = begin.substring(begin.indexOf('\n') + 1, line);
                String rest = end < 0 ? "" : begin.substring(end + 1);
                return front.contains("```") || !front.contains(":") ? begin : "```yaml\n" + front + "```\n\n" + rest;
            }
            line = end < 0 ? -1 : end + 1;
        }
        return begin;
    }
}

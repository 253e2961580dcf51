package dev.gavel.sep.document;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A piece of a document without its Markdown and HTML marks, which maps each character to its position in the document.
 * Immutable.
 */
final class PositionMappedText {
    private static final int LONGEST_TAG = 300;
    private static final Set<String> TAGS = Set.of(
            "a",
            "b",
            "big",
            "blockquote",
            "code",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "em",
            "font",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "i",
            "kbd",
            "li",
            "ol",
            "p",
            "pre",
            "s",
            "samp",
            "small",
            "span",
            "strong",
            "sub",
            "summary",
            "sup",
            "table",
            "tbody",
            "td",
            "th",
            "thead",
            "tr",
            "tt",
            "u",
            "ul",
            "var");
    private static final Map<String, String> ENTITIES =
            Map.of("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", "\"", "&#39;", "'", "&apos;", "'", "&nbsp;", " ");

    private final String chars;
    // The start and end offset of each character in the document. An entity spans several characters there.
    private final int[] at;
    private final int[] to;
    private final int start;

    private PositionMappedText(String chars, int[] at, int[] to, int begin) {
        this.chars = chars;
        this.at = at;
        this.to = to;
        this.start = begin;
    }

    static PositionMappedText of(String text, int start, int end) {
        return new MarkupStripper(text, start, end).clean();
    }

    /** Returns the text with all its marks, for languages with another markup, such as YAML. */
    static PositionMappedText raw(String text, int start, int end) {
        int[] at = new int[end - start];
        int[] to = new int[end - start];
        Arrays.setAll(at, i -> start + i);
        Arrays.setAll(to, i -> start + i + 1);
        return new PositionMappedText(text.substring(start, end), at, to, start);
    }

    String text() {
        return chars;
    }

    int length() {
        return chars.length();
    }

    boolean isBlank() {
        return chars.isBlank();
    }

    /**
     * Returns the document offset of a character. For the index after the last character, it is the end of the last
     * character; for an empty text, the start of the text.
     */
    int offset(int index) {
        if (index < at.length) {
            return at[index];
        }
        return at.length == 0 ? start : to[at.length - 1];
    }

    /** Returns the document offset at which the first {@code length} characters end. */
    int endOffset(int length) {
        return length == 0 ? offset(0) : to[length - 1];
    }

    PositionMappedText slice(int from, int until) {
        return new PositionMappedText(
                chars.substring(from, until),
                Arrays.copyOfRange(at, from, until),
                Arrays.copyOfRange(to, from, until),
                from == 0 ? start : to[from - 1]);
    }

    /** Returns the document offset of the start, including the marks before the first character. */
    int start() {
        return start;
    }

    /** Returns the text without surrounding white space. */
    PositionMappedText strip() {
        int from = 0;
        int to = chars.length();
        while (from < to && Character.isWhitespace(chars.charAt(from))) {
            from++;
        }
        while (to > from && Character.isWhitespace(chars.charAt(to - 1))) {
            to--;
        }
        return slice(from, to);
    }

    @Override
    public String toString() {
        return chars;
    }

    private static final class MarkupStripper {
        private final String text;
        private final int start;
        private final int end;
        private final StringBuilder output = new StringBuilder();
        private final int[] places;
        private final int[] ends;
        // Whether the position is inside a code span, in which marks are plain characters.
        private boolean code;

        MarkupStripper(String text, int start, int end) {
            this.text = text;
            this.start = start;
            this.end = end;
            this.places = new int[end - start];
            this.ends = new int[end - start];
        }

        PositionMappedText clean() {
            int i = start;
            while (i < end) {
                i = step(i);
            }
            return new PositionMappedText(
                    output.toString(),
                    Arrays.copyOf(places, output.length()),
                    Arrays.copyOf(ends, output.length()),
                    start);
        }

        private int step(int i) {
            char each = text.charAt(i);
            if (each == '`') {
                code = !code && text.indexOf('`', i + 1, end) > 0;
                return i + 1;
            }
            if (code) {
                append(each, i, i + 1);
                return i + 1;
            }
            switch (each) {
                case '<' -> {
                    int after = tag(i);
                    if (after > i) {
                        return after;
                    }
                }
                case '&' -> {
                    for (Map.Entry<String, String> entity : ENTITIES.entrySet()) {
                        if (text.startsWith(entity.getKey(), i)
                                && i + entity.getKey().length() <= end) {
                            append(
                                    entity.getValue().charAt(0),
                                    i,
                                    i + entity.getKey().length());
                            return i + entity.getKey().length();
                        }
                    }
                }
                case '\\' -> {
                    if (i + 1 < end && punctuation(text.charAt(i + 1))) {
                        append(text.charAt(i + 1), i, i + 2);
                        return i + 2;
                    }
                }
                case '*' -> {
                    return i + 1;
                }
                case '_' -> {
                    // Inside a word, an underscore is a plain character.
                    boolean inside = i > start
                            && i + 1 < end
                            && Character.isLetterOrDigit(text.charAt(i - 1))
                            && Character.isLetterOrDigit(text.charAt(i + 1));
                    if (!inside) {
                        return i + 1;
                    }
                }
                default -> {}
            }
            append(each, i, i + 1);
            return i + 1;
        }

        private void append(char each, int from, int to) {
            places[output.length()] = from;
            ends[output.length()] = to;
            output.append(each);
        }

        /** Returns the offset after a tag. A line break tag becomes a line break. */
        private int tag(int i) {
            if (text.startsWith("<!--", i)) {
                int close = text.indexOf("-->", Math.min(i + 4, end), end);
                return close < 0 ? end : close + 3;
            }
            int name = i + 1 < end && text.charAt(i + 1) == '/' ? i + 2 : i + 1;
            int after = name;
            while (after < end && after - name < 12 && Character.isLetterOrDigit(text.charAt(after))) {
                after++;
            }
            String word = text.substring(name, after).toLowerCase(Locale.ROOT);
            boolean breaks = word.equals("br");
            if (!breaks && !TAGS.contains(word)) {
                return i;
            }
            int most = Math.min(end, i + LONGEST_TAG);
            for (int j = after; j < most; j++) {
                if (text.charAt(j) == '>') {
                    if (breaks) {
                        append('\n', i, j + 1);
                    }
                    return j + 1;
                }
            }
            return i;
        }

        private static boolean punctuation(char each) {
            return each > ' ' && each < 127 && !Character.isLetterOrDigit(each);
        }
    }
}

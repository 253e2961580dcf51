package dev.gavel.sep.document;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Splits a document into lines and separates prose from code, comments and front matter. Immutable. */
final class DocumentLines {
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int LONGEST_FRONT = 10_000;
    private static final String PRE = "<pre";
    private static final String PRE_END = "</pre>";

    private final String text;
    private final List<DocumentLine> all;

    private DocumentLines(String text, List<DocumentLine> all) {
        this.text = text;
        this.all = List.copyOf(all);
    }

    static DocumentLines of(String text, PreambleLabels labels) {
        return new DocumentLines(text, new LineClassifier(text, labels).lines());
    }

    static DocumentLines of(String text, CompiledDocumentFormat format) {
        return switch (format.format().markup()) {
            case MARKDOWN -> of(text, format.labels());
            case RESTRUCTURED_TEXT -> new DocumentLines(text, new RestructuredTextLineClassifier(text).lines());
        };
    }

    /** Receives the lines of a text: their number from one, and the offsets of their start and end. */
    interface LineReceiver {
        void accept(int number, int start, int end);
    }

    /** Splits a text into lines, without a byte order mark and line terminators. */
    static void split(String text, LineReceiver receiver) {
        int at = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
        int number = 1;
        boolean more = true;
        while (more) {
            int end = at;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            receiver.accept(number, at, end);
            more = end < text.length();
            at = end + 1;
            if (more && text.charAt(end) == '\r' && at < text.length() && text.charAt(at) == '\n') {
                at++;
            }
            number++;
        }
    }

    List<DocumentLine> all() {
        return all;
    }

    String text(DocumentLine line) {
        return text.substring(line.start(), line.end());
    }

    /** Returns the range between two offsets, with line and column. */
    TextRange range(int start, int end) {
        int low = 0;
        int high = all.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (all.get(middle).start() <= start) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        DocumentLine line = all.get(low);
        return new TextRange(start, Math.max(start, end), line.number(), Math.max(0, start - line.start()) + 1);
    }

    TextRange range(DocumentLine line) {
        int start = line.start();
        while (start < line.end() && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        return range(start, line.end());
    }

    /** Splits and classifies the lines in one pass. */
    private static final class LineClassifier {
        private final String text;
        private final PreambleLabels labels;
        private final List<DocumentLine> lines = new ArrayList<>();

        // Searched for once, because a search for each comment that is never closed would take quadratic time.
        private final int lastCommentEnd;

        // The open fenced code block: its fence character, the length of the fence, and the indentation of the
        // enclosing list item.
        private char fenceChar;
        private int fenceLength;
        private int containerIndent;
        // The text that ends the open comment or HTML code block.
        private @Nullable String endMarker;
        // The content indentation of the enclosing list items, the outermost first.
        private final Deque<Integer> itemIndents = new ArrayDeque<>();
        private boolean inIndentedCode;
        private boolean blankBefore = true;

        LineClassifier(String text, PreambleLabels labels) {
            this.text = text;
            this.labels = labels;
            this.lastCommentEnd = text.lastIndexOf("-->");
        }

        List<DocumentLine> lines() {
            split(text, (number, start, end) -> lines.add(line(number, start, end)));
            markFrontMatter();
            return lines;
        }

        private DocumentLine line(int number, int start, int end) {
            int indent = 0;
            int first = start;
            while (first < end && (text.charAt(first) == ' ' || text.charAt(first) == '\t')) {
                indent = text.charAt(first) == '\t' ? indent / 4 * 4 + 4 : indent + 1;
                first++;
            }
            DocumentLine.Kind kind = kind(first, end, indent);
            blankBefore = kind == DocumentLine.Kind.BLANK;
            return new DocumentLine(number, start, end, indent, kind);
        }

        private DocumentLine.Kind kind(int first, int end, int indent) {
            if (endMarker != null) {
                DocumentLine.Kind kind = endMarker.equals(PRE_END) ? DocumentLine.Kind.CODE : DocumentLine.Kind.HIDDEN;
                if (contains(first, end, endMarker)) {
                    endMarker = null;
                }
                return kind;
            }
            boolean blank = text.substring(first, end).isBlank();
            if (fenceChar != 0) {
                // The end of a list item also ends the code block in it.
                if (blank || indent >= containerIndent) {
                    if (closesFence(first, end)) {
                        fenceChar = 0;
                    }
                    return DocumentLine.Kind.CODE;
                }
                fenceChar = 0;
            }
            if (blank) {
                return DocumentLine.Kind.BLANK;
            }
            int content = markerWidth(first, end);
            if (content > 0 || blankBefore) {
                while (!itemIndents.isEmpty() && itemIndents.getLast() > indent) {
                    itemIndents.removeLast();
                }
            }
            int item = itemIndents.isEmpty() ? 0 : itemIndents.getLast();
            if (indent >= item + 4 && (blankBefore || inIndentedCode)) {
                inIndentedCode = true;
                return DocumentLine.Kind.CODE;
            }
            inIndentedCode = false;
            if (content > 0) {
                itemIndents.addLast(indent + content);
            }
            if (opensFence(first, end)) {
                containerIndent = indent >= item ? item : 0;
                return DocumentLine.Kind.CODE;
            }
            return classifyHtml(first, end);
        }

        /** Returns the width of a list item's marker including the space after it; zero if there is no marker. */
        private int markerWidth(int first, int end) {
            char begin = text.charAt(first);
            int at = first + 1;
            if (begin != '-' && begin != '*' && begin != '+') {
                if (!isDigit(begin)) {
                    return 0;
                }
                while (at < end && at - first < 9 && isDigit(text.charAt(at))) {
                    at++;
                }
                if (at == end || (text.charAt(at) != '.' && text.charAt(at) != ')')) {
                    return 0;
                }
                at++;
            }
            return at < end && (text.charAt(at) == ' ' || text.charAt(at) == '\t') ? at - first + 1 : 0;
        }

        private static boolean isDigit(char each) {
            return each >= '0' && each <= '9';
        }

        private boolean opensFence(int first, int end) {
            char begin = text.charAt(first);
            if (begin != '`' && begin != '~') {
                return false;
            }
            int at = first;
            while (at < end && text.charAt(at) == begin) {
                at++;
            }
            // The text after three backticks describes the code block and must not contain a backtick.
            if (at - first < 3 || (begin == '`' && contains(at, end, "`"))) {
                return false;
            }
            fenceChar = begin;
            fenceLength = at - first;
            return true;
        }

        private boolean closesFence(int first, int end) {
            int at = first;
            while (at < end && text.charAt(at) == fenceChar) {
                at++;
            }
            return at - first >= fenceLength && text.substring(at, end).isBlank();
        }

        private DocumentLine.Kind classifyHtml(int first, int end) {
            // The renderer shows a comment that is never closed as text.
            if (text.startsWith("<!--", first) && first + 4 <= lastCommentEnd) {
                int close = text.indexOf("-->", Math.min(first + 4, end), end);
                if (close < 0) {
                    endMarker = "-->";
                    return DocumentLine.Kind.HIDDEN;
                }
                return text.substring(close + 3, end).isBlank() ? DocumentLine.Kind.HIDDEN : DocumentLine.Kind.TEXT;
            }
            int after = first + PRE.length();
            if (text.regionMatches(true, first, PRE, 0, PRE.length())
                    && (after >= end || !Character.isLetterOrDigit(text.charAt(after)))) {
                if (!contains(first, end, PRE_END)) {
                    endMarker = PRE_END;
                }
                return DocumentLine.Kind.CODE;
            }
            return DocumentLine.Kind.TEXT;
        }

        private boolean contains(int first, int end, String needle) {
            return text.substring(first, end).toLowerCase(Locale.ROOT).contains(needle);
        }

        /**
         * Marks front matter. It must contain a known preamble key: two rules around other text are not front matter.
         */
        private void markFrontMatter() {
            if (!isRule(lines.getFirst(), "---")) {
                return;
            }
            boolean hasKnownKey = false;
            int most = Math.min(lines.size(), LONGEST_FRONT);
            for (int i = 1; i < most; i++) {
                DocumentLine line = lines.get(i);
                if (isRule(line, "---") || isRule(line, "...")) {
                    if (hasKnownKey) {
                        for (int j = 0; j <= i; j++) {
                            DocumentLine each = lines.get(j);
                            lines.set(
                                    j,
                                    new DocumentLine(
                                            each.number(),
                                            each.start(),
                                            each.end(),
                                            each.indent(),
                                            DocumentLine.Kind.FRONT_MATTER));
                        }
                        reclassifyFrom(i + 1);
                    }
                    return;
                }
                String words = text.substring(line.start(), line.end());
                int colon = words.indexOf(':');
                hasKnownKey |=
                        colon > 0 && labels.find(words.substring(0, colon)).isPresent();
            }
        }

        /**
         * Classifies the lines after the front matter again, because a block opened in it must not extend beyond it.
         */
        private void reclassifyFrom(int from) {
            fenceChar = 0;
            endMarker = null;
            itemIndents.clear();
            inIndentedCode = false;
            blankBefore = true;
            List<DocumentLine> rest = List.copyOf(lines.subList(from, lines.size()));
            lines.subList(from, lines.size()).clear();
            rest.forEach(each -> lines.add(line(each.number(), each.start(), each.end())));
        }

        private boolean isRule(DocumentLine line, String rule) {
            return line.indent() == 0
                    && text.substring(line.start(), line.end()).stripTrailing().equals(rule);
        }
    }
}

package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the headings of a Markdown document: marked with #, underlined, or HTML. Not thread-safe. */
final class HeadingScanner {
    private static final int MAX_HEADINGS = 10_000;
    private static final int MAX_LENGTH = 2_000;

    private final String text;
    private final DocumentLines lines;
    private final CompiledDocumentFormat format;

    HeadingScanner(String text, DocumentLines lines, CompiledDocumentFormat format) {
        this.text = text;
        this.lines = lines;
        this.format = format;
    }

    List<DocumentHeading> scan() {
        List<DocumentHeading> found = new ArrayList<>();
        List<DocumentLine> all = lines.all();
        for (int i = 0; i < all.size() && found.size() < MAX_HEADINGS; i++) {
            DocumentLine line = all.get(i);
            if (!line.isText() || line.indent() > 3) {
                continue;
            }
            int at = i;
            readMarked(line, at)
                    .or(() -> html(line, at))
                    .or(() -> readUnderlined(at))
                    .ifPresent(found::add);
        }
        return found;
    }

    private Optional<DocumentHeading> readMarked(DocumentLine line, int index) {
        int first = first(line);
        int at = first;
        while (at < line.end() && text.charAt(at) == '#') {
            at++;
        }
        int level = at - first;
        if (level == 0 || level > 6) {
            return Optional.empty();
        }
        boolean spaced = at == line.end() || Character.isWhitespace(text.charAt(at));
        // "#12" is a reference, and "#word" may be one.
        if (!spaced && (level == 1 || !Character.isLetter(text.charAt(at)))) {
            return Optional.empty();
        }
        int end = line.end();
        while (end > at && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        int close = end;
        while (close > at && text.charAt(close - 1) == '#') {
            close--;
        }
        if (close < end && (close == at || Character.isWhitespace(text.charAt(close - 1)))) {
            end = close;
        }
        return Optional.of(heading(level, at, end, index, index + 1, spaced));
    }

    private Optional<DocumentHeading> html(DocumentLine line, int index) {
        int first = first(line);
        if (first + 4 > line.end()
                || text.charAt(first) != '<'
                || (text.charAt(first + 1) | ' ') != 'h'
                || text.charAt(first + 2) < '1'
                || text.charAt(first + 2) > '6') {
            return Optional.empty();
        }
        int level = text.charAt(first + 2) - '0';
        int open = text.indexOf('>', first, line.end());
        String rest = text.substring(first, line.end()).toLowerCase(Locale.ROOT);
        int close = rest.indexOf("</h" + level);
        if (open < 0
                || (text.charAt(first + 3) != '>' && text.charAt(first + 3) != ' ')
                || close < 0
                || first + close <= open) {
            return Optional.empty();
        }
        return Optional.of(heading(level, open + 1, first + close, index, index + 1, true));
    }

    /**
     * Reads a heading that consists of a single line of text above a rule. A preamble line above a rule is not a
     * heading.
     */
    private Optional<DocumentHeading> readUnderlined(int index) {
        List<DocumentLine> all = lines.all();
        if (index + 1 >= all.size() || (index > 0 && all.get(index - 1).isText())) {
            return Optional.empty();
        }
        DocumentLine line = all.get(index);
        DocumentLine rule = all.get(index + 1);
        String below = lines.text(rule).strip();
        if (!rule.isText() || rule.indent() > 3 || below.length() < 3 || rule.end() - rule.start() > MAX_LENGTH) {
            return Optional.empty();
        }
        char mark = below.charAt(0);
        if ((mark != '=' && mark != '-') || below.chars().anyMatch(each -> each != mark)) {
            return Optional.empty();
        }
        int first = first(line);
        String words = text.substring(first, Math.min(line.end(), first + MAX_LENGTH));
        int colon = words.indexOf(':');
        boolean field =
                colon > 0 && format.labels().find(words.substring(0, colon)).isPresent();
        if (field || ">|-+*<".indexOf(words.charAt(0)) >= 0) {
            return Optional.empty();
        }
        return Optional.of(heading(mark == '=' ? 1 : 2, first, line.end(), index, index + 2, true));
    }

    private DocumentHeading heading(int level, int start, int end, int index, int body, boolean spaced) {
        int last = Math.min(end, start + MAX_LENGTH);
        PositionMappedText positionMappedText = PositionMappedText.of(text, start, last);
        String words = positionMappedText.text().strip().replaceAll("\\s+", " ");
        return new DocumentHeading(
                level,
                words,
                format.sections().slug(words),
                lines.range(lines.all().get(index)),
                index,
                body,
                spaced);
    }

    private int first(DocumentLine line) {
        int first = line.start();
        while (first < line.end() && Character.isWhitespace(text.charAt(first))) {
            first++;
        }
        return first;
    }
}

package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Separates prose from literal blocks, comments and link targets in reStructuredText, in one pass. Not thread-safe. */
final class RestructuredTextLineClassifier {
    private static final int LONGEST_MARK = 200;
    private static final Pattern CODE_DIRECTIVE =
            Pattern.compile("\\.\\. (?:code|code-block|sourcecode|parsed-literal|math|raw|highlight)::.*");
    private static final Pattern VISIBLE_DIRECTIVE =
            Pattern.compile("\\.\\. (?:\\|[^|]{1,100}\\| {1,5})?[A-Za-z0-9][A-Za-z0-9:._+-]{0,60}::.*|\\.\\. \\[.*");

    private final String text;
    private final List<DocumentLine> lines = new ArrayList<>();

    // The indentation of the line that opened a block of more indented lines; -1 if there is no block.
    private DocumentLine.Kind blockKind = DocumentLine.Kind.TEXT;
    private int blockIndent = -1;

    RestructuredTextLineClassifier(String text) {
        this.text = text;
    }

    List<DocumentLine> lines() {
        DocumentLines.split(text, this::add);
        return lines;
    }

    private void add(int number, int start, int end) {
        int first = start;
        int indent = 0;
        while (first < end && (text.charAt(first) == ' ' || text.charAt(first) == '\t')) {
            indent = text.charAt(first) == '\t' ? indent / 8 * 8 + 8 : indent + 1;
            first++;
        }
        lines.add(new DocumentLine(number, start, end, indent, kind(first, end, indent)));
    }

    private DocumentLine.Kind kind(int first, int end, int indent) {
        if (text.substring(first, end).isBlank()) {
            return DocumentLine.Kind.BLANK;
        }
        if (blockIndent >= 0 && indent > blockIndent) {
            return blockKind;
        }
        blockIndent = -1;
        String begin = text.substring(first, Math.min(end, first + LONGEST_MARK));
        if (begin.equals("..") || begin.startsWith(".. ")) {
            return explicit(begin.stripTrailing(), indent);
        }
        int last = end;
        while (Character.isWhitespace(text.charAt(last - 1))) {
            last--;
        }
        if (last - first >= 2 && text.startsWith("::", last - 2)) {
            openBlock(DocumentLine.Kind.CODE, indent);
            return last - first == 2 ? DocumentLine.Kind.CODE : DocumentLine.Kind.TEXT;
        }
        return DocumentLine.Kind.TEXT;
    }

    /** Classifies a line that begins with two full stops: a directive, a footnote, a link target or a comment. */
    private DocumentLine.Kind explicit(String begin, int indent) {
        if (CODE_DIRECTIVE.matcher(begin).matches()) {
            openBlock(DocumentLine.Kind.CODE, indent);
            return DocumentLine.Kind.CODE;
        }
        if (VISIBLE_DIRECTIVE.matcher(begin).matches()) {
            return DocumentLine.Kind.TEXT;
        }
        openBlock(DocumentLine.Kind.HIDDEN, indent);
        return DocumentLine.Kind.HIDDEN;
    }

    private void openBlock(DocumentLine.Kind kind, int indent) {
        blockKind = kind;
        blockIndent = indent;
    }
}

package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat.PreambleForm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the fields of a preamble written as bullets, bold or plain lines, a table, front matter, or a header as in a
 * mail. Not thread-safe.
 */
final class PreambleReader {
    private static final int MOST_FIELDS = 1_000;
    private static final int MOST_PARTS = 1_000;
    private static final int LONGEST_LABEL = 60;
    private static final int LONGEST_LINE = 20_000;
    private static final String FRONT_MATTER_RULE = "---";

    private static final Pattern BLOCK = Pattern.compile("[|>][-+]?|");

    private final String text;
    private final DocumentLines lines;
    private final List<PreambleField> fields = new ArrayList<>();
    private final PreambleLineReader reader;
    private final PreambleLabels labels;
    private final List<PreambleForm> forms;
    private final BitSet headings;

    /**
     * Creates a reader for one document.
     *
     * @param forms the forms of fields to read
     * @param headings the indexes of the lines that are headings and therefore not fields
     */
    PreambleReader(String text, DocumentLines lines, PreambleLabels labels, List<PreambleForm> forms, BitSet headings) {
        this.text = text;
        this.lines = lines;
        this.labels = labels;
        this.forms = forms;
        this.headings = headings;
        this.reader = new PreambleLineReader(text, lines, labels);
    }

    /** Returns the fields of YAML text that is the preamble of a document in another file. */
    static List<PreambleField> readSideFile(String yaml, PreambleLabels labels) {
        String bounded = yaml.length() > Document.MAX_LENGTH ? yaml.substring(0, Document.MAX_LENGTH) : yaml;
        String text = (bounded.startsWith(FRONT_MATTER_RULE) ? "" : FRONT_MATTER_RULE + "\n") + bounded + "\n"
                + FRONT_MATTER_RULE;
        DocumentLines lines = DocumentLines.of(text, labels);
        return new PreambleReader(text, lines, labels, List.of(PreambleForm.FRONT_MATTER), new BitSet())
                .read(0, lines.all().size()).stream()
                        .map(PreambleField::inSideFile)
                        .toList();
    }

    /** Reads the fields in a range of lines, including front matter and a header in that range. */
    List<PreambleField> read(int from, int to) {
        int i = from == 0 && forms.contains(PreambleForm.RFC822) ? readHeader(to) : from;
        while (i < to && fields.size() < MOST_FIELDS) {
            DocumentLine line = lines.all().get(i);
            if (line.kind() == DocumentLine.Kind.FRONT_MATTER) {
                i = readFrontMatter(i, to);
            } else if (!line.isText() || headings.get(i)) {
                i++;
            } else if (isTableStart(i)) {
                i = readTable(i, to);
            } else {
                i = line(i, to);
            }
        }
        return fields;
    }

    private int line(int index, int to) {
        DocumentLine line = lines.all().get(index);
        Optional<PreambleLineReader.ParsedField> parsedField = reader.read(line);
        if (parsedField.isEmpty()) {
            return index + 1;
        }
        List<PositionMappedText> parts =
                new ArrayList<>(List.of(parsedField.get().value()));
        int next = index + 1;
        while (next < to && parts.size() < MOST_PARTS) {
            DocumentLine more = lines.all().get(next);
            if (!more.isText()
                    || headings.get(next)
                    || !continuesField(line, parsedField.get(), parts.getLast(), more)) {
                break;
            }
            int end = Math.min(more.end(), more.start() + LONGEST_LINE);
            parts.add(
                    PositionMappedText.of(text, reader.contentStart(more), end).strip());
            next++;
        }
        PreambleForm form = parsedField.get().bullet()
                ? PreambleForm.BULLETS
                : parsedField.get().bold() ? PreambleForm.BOLD : PreambleForm.PLAIN;
        add(parsedField.get(), form, PreambleField.Style.LINE, parts);
        return next;
    }

    /** Whether a line continues the field above it. */
    private boolean continuesField(
            DocumentLine line,
            PreambleLineReader.ParsedField parsedField,
            PositionMappedText before,
            DocumentLine more) {
        boolean bullet = reader.isBullet(more);
        if (more.indent() > line.indent() && (parsedField.bullet() || bullet)) {
            return reader.read(more).isEmpty();
        }
        String words = before.text().stripTrailing();
        boolean open = words.endsWith(",")
                || words.endsWith("&")
                || words.endsWith(" and")
                || (bullet && parsedField.value().isBlank());
        boolean listed = bullet && !parsedField.bullet() && parsedField.value().isBlank();
        return (open || listed) && bullet == listed && reader.read(more).isEmpty();
    }

    private void add(
            PreambleLineReader.ParsedField parsedField,
            PreambleForm form,
            PreambleField.Style style,
            List<PositionMappedText> parts) {
        parsedField.key().filter(key -> forms.contains(form)).ifPresent(key -> {
            PositionMappedText value = parts.getFirst();
            int start = value.offset(0);
            int end = value.endOffset(value.length());
            fields.add(new PreambleField(
                    key,
                    parsedField.label(),
                    lines.range(parsedField.labelStart(), parsedField.labelStart()),
                    style,
                    parts,
                    lines.range(start, end)));
        });
    }

    private boolean isTableStart(int index) {
        DocumentLine line = lines.all().get(index);
        if (text.charAt(reader.firstNonBlank(line)) == '|') {
            return true;
        }
        return index + 1 < lines.all().size()
                && delimiter(lines.all().get(index + 1))
                && text.indexOf('|', line.start(), line.end()) >= 0;
    }

    private boolean delimiter(DocumentLine line) {
        if (!line.isText()) {
            return false;
        }
        boolean dash = false;
        boolean pipe = false;
        for (int i = line.start(); i < line.end(); i++) {
            char each = text.charAt(i);
            if (each != '-' && each != '|' && each != ':' && !Character.isWhitespace(each)) {
                return false;
            }
            dash |= each == '-';
            pipe |= each == '|';
        }
        return dash && pipe;
    }

    private int readTable(int from, int to) {
        List<PositionMappedText> head = cells(lines.all().get(from));
        boolean across = head.size() > 1
                && head.stream().allMatch(cell -> labels.find(cell.text()).isPresent())
                && from + 2 < to
                && delimiter(lines.all().get(from + 1));
        int i = from;
        while (i < to && fields.size() < MOST_FIELDS) {
            DocumentLine line = lines.all().get(i);
            if (!line.isText() || text.indexOf('|', line.start(), line.end()) < 0) {
                break;
            }
            List<PositionMappedText> row = cells(line);
            if (across && i == from + 2) {
                for (int j = 0; j < Math.min(head.size(), row.size()); j++) {
                    cell(head.get(j), row.get(j));
                }
            } else if (!across && row.size() > 1 && !delimiter(line)) {
                cell(row.get(0), row.get(1));
            }
            i++;
        }
        return Math.max(i, from + 1);
    }

    private void cell(PositionMappedText label, PositionMappedText value) {
        String words = label.text().strip();
        if (words.endsWith(":")) {
            words = words.substring(0, words.length() - 1).strip();
        }
        add(
                new PreambleLineReader.ParsedField(labels.find(words), words, label.offset(0), value, false, false),
                PreambleForm.TABLE,
                PreambleField.Style.TABLE,
                List.of(value));
    }

    private List<PositionMappedText> cells(DocumentLine line) {
        List<PositionMappedText> cells = new ArrayList<>();
        int at = reader.firstNonBlank(line);
        if (text.charAt(at) == '|') {
            at++;
        }
        int begin = at;
        while (at < line.end() && cells.size() < 100) {
            char each = text.charAt(at);
            if (each == '\\') {
                at++;
            } else if (each == '|') {
                cells.add(PositionMappedText.of(text, begin, at).strip());
                begin = at + 1;
            }
            at++;
        }
        PositionMappedText rest = PositionMappedText.of(text, Math.min(begin, line.end()), line.end())
                .strip();
        if (!rest.isBlank()) {
            cells.add(rest);
        }
        return cells;
    }

    /** Reads the fields at the start of the text up to the first blank line. An indented line continues a field. */
    private int readHeader(int to) {
        int i = 0;
        while (i < to && lines.all().get(i).kind() == DocumentLine.Kind.BLANK) {
            i++;
        }
        while (i < to && lines.all().get(i).kind() != DocumentLine.Kind.BLANK && fields.size() < MOST_FIELDS) {
            DocumentLine line = lines.all().get(i);
            int colon = text.indexOf(':', line.start(), line.end());
            if (line.indent() > 0 || colon < 0 || colon - line.start() > LONGEST_LABEL) {
                return i;
            }
            String label = text.substring(line.start(), colon).strip();
            List<PositionMappedText> parts = new ArrayList<>(List.of(rest(colon + 1, line)));
            i++;
            while (i < to && lines.all().get(i).indent() > 0 && parts.size() < MOST_PARTS) {
                DocumentLine more = lines.all().get(i);
                if (more.kind() == DocumentLine.Kind.BLANK) {
                    break;
                }
                parts.add(rest(more.start(), more));
                i++;
            }
            add(
                    new PreambleLineReader.ParsedField(
                            labels.find(label), label, line.start(), parts.getFirst(), false, false),
                    PreambleForm.RFC822,
                    PreambleField.Style.HEADER,
                    parts);
        }
        return i;
    }

    private PositionMappedText rest(int from, DocumentLine line) {
        return PositionMappedText.raw(text, from, Math.min(line.end(), from + LONGEST_LINE))
                .strip();
    }

    private int readFrontMatter(int from, int to) {
        int i = from;
        while (i < to && lines.all().get(i).kind() == DocumentLine.Kind.FRONT_MATTER && fields.size() < MOST_FIELDS) {
            DocumentLine line = lines.all().get(i);
            int colon = text.indexOf(':', line.start(), line.end());
            if (line.indent() > 0 || colon < 0 || colon - line.start() > LONGEST_LABEL) {
                i++;
                continue;
            }
            String label = text.substring(line.start(), colon).strip();
            List<PositionMappedText> parts = new ArrayList<>(List.of(scalar(colon + 1, line.end())));
            i++;
            while (i < to && lines.all().get(i).kind() == DocumentLine.Kind.FRONT_MATTER && parts.size() < MOST_PARTS) {
                DocumentLine more = lines.all().get(i);
                int first = reader.firstNonBlank(more);
                boolean item = first < more.end() && text.charAt(first) == '-' && !text.startsWith("---", first);
                if (more.indent() == 0 && !item) {
                    break;
                }
                parts.add(scalar(item ? first + 1 : first, more.end()));
                i++;
            }
            if (parts.size() > 1 && BLOCK.matcher(parts.getFirst().text()).matches()) {
                parts.removeFirst();
            }
            add(
                    new PreambleLineReader.ParsedField(
                            labels.find(label), label, line.start(), parts.getFirst(), false, false),
                    PreambleForm.FRONT_MATTER,
                    PreambleField.Style.YAML,
                    parts);
        }
        return Math.max(i, from + 1);
    }

    /** Returns a YAML value without quotes, list brackets and comment. */
    private PositionMappedText scalar(int from, int to) {
        int start = from;
        int end = Math.min(to, from + LONGEST_LINE);
        while (start < end && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        if (start < end && (text.charAt(start) == '"' || text.charAt(start) == '\'')) {
            int close = text.indexOf(text.charAt(start), start + 1, end);
            return PositionMappedText.raw(text, start + 1, close < 0 ? end : close);
        }
        int comment = text.indexOf(" #", start, end);
        end = comment < 0 ? end : comment;
        PositionMappedText value = PositionMappedText.raw(text, start, end).strip();
        String words = value.text();
        boolean listed = words.length() > 1 && words.charAt(0) == '[' && words.charAt(words.length() - 1) == ']';
        return listed ? value.slice(1, words.length() - 1).strip() : value;
    }
}

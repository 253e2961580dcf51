package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the lines of a preamble, in whatever form: bullets, bold lines, plain ones, a table, front matter. Not thread-safe.
 */
final class Preamble {
    private static final int MOST_FIELDS = 1_000;
    private static final int MOST_PARTS = 1_000;
    private static final int LONGEST_LABEL = 60;
    private static final int LONGEST_LINE = 20_000;

    private static final Pattern BLOCK = Pattern.compile("[|>][-+]?|");

    private final String text;
    private final Lines lines;
    private final List<Field> fields = new ArrayList<>();
    private final FieldLine reader;
    private final BitSet headings;

    /**
     * A reader of preambles.
     *
     * @param headings which lines are headings, and so no fields
     */
    Preamble(String text, Lines lines, BitSet headings) {
        this.text = text;
        this.lines = lines;
        this.headings = headings;
        this.reader = new FieldLine(text, lines);
    }

    /** The fields in a range of lines; the front matter's too, if it is among them. */
    List<Field> read(int from, int to) {
        int i = from;
        while (i < to && fields.size() < MOST_FIELDS) {
            Line line = lines.all().get(i);
            if (line.kind() == Line.Kind.FRONT) {
                i = front(i, to);
            } else if (!line.text() || headings.get(i)) {
                i++;
            } else if (table(i)) {
                i = rows(i, to);
            } else {
                i = line(i, to);
            }
        }
        return fields;
    }

    private int line(int index, int to) {
        Line line = lines.all().get(index);
        Optional<FieldLine.Found> found = reader.read(line);
        if (found.isEmpty()) {
            return index + 1;
        }
        List<Plain> parts = new ArrayList<>(List.of(found.get().value()));
        int next = index + 1;
        while (next < to && parts.size() < MOST_PARTS) {
            Line more = lines.all().get(next);
            if (!more.text() || headings.get(next) || !goesOn(line, found.get(), parts.getLast(), more)) {
                break;
            }
            int end = Math.min(more.end(), more.start() + LONGEST_LINE);
            parts.add(Plain.of(text, reader.content(more), end).strip());
            next++;
        }
        add(found.get(), Field.Style.LINE, parts);
        return next;
    }

    /** Whether a line goes on with the field above it. */
    private boolean goesOn(Line line, FieldLine.Found found, Plain before, Line more) {
        boolean bullet = reader.bullet(more);
        if (more.indent() > line.indent() && (found.bullet() || bullet)) {
            return reader.read(more).isEmpty();
        }
        String words = before.words().stripTrailing();
        boolean open = words.endsWith(",")
                || words.endsWith("&")
                || words.endsWith(" and")
                || (bullet && found.value().blank());
        boolean listed = bullet && !found.bullet() && found.value().blank();
        return (open || listed) && bullet == listed && reader.read(more).isEmpty();
    }

    private void add(FieldLine.Found found, Field.Style style, List<Plain> parts) {
        found.key().ifPresent(key -> {
            Plain value = parts.getFirst();
            int start = value.offset(0);
            int end = value.end(value.length());
            fields.add(new Field(
                    key, found.label(), lines.spot(found.at(), found.at()), style, parts, lines.spot(start, end)));
        });
    }

    private boolean table(int index) {
        Line line = lines.all().get(index);
        if (text.charAt(reader.first(line)) == '|') {
            return true;
        }
        return index + 1 < lines.all().size()
                && delimiter(lines.all().get(index + 1))
                && text.indexOf('|', line.start(), line.end()) >= 0;
    }

    private boolean delimiter(Line line) {
        if (!line.text()) {
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

    private int rows(int from, int to) {
        List<Plain> head = cells(lines.all().get(from));
        boolean across = head.size() > 1
                && head.stream().allMatch(cell -> Key.of(cell.words()).isPresent())
                && from + 2 < to
                && delimiter(lines.all().get(from + 1));
        int i = from;
        while (i < to && fields.size() < MOST_FIELDS) {
            Line line = lines.all().get(i);
            if (!line.text() || text.indexOf('|', line.start(), line.end()) < 0) {
                break;
            }
            List<Plain> row = cells(line);
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

    private void cell(Plain label, Plain value) {
        String words = label.words().strip();
        if (words.endsWith(":")) {
            words = words.substring(0, words.length() - 1).strip();
        }
        add(
                new FieldLine.Found(Key.of(words), words, label.offset(0), value, false),
                Field.Style.TABLE,
                List.of(value));
    }

    private List<Plain> cells(Line line) {
        List<Plain> cells = new ArrayList<>();
        int at = reader.first(line);
        if (text.charAt(at) == '|') {
            at++;
        }
        int begin = at;
        while (at < line.end() && cells.size() < 100) {
            char each = text.charAt(at);
            if (each == '\\') {
                at++;
            } else if (each == '|') {
                cells.add(Plain.of(text, begin, at).strip());
                begin = at + 1;
            }
            at++;
        }
        Plain rest = Plain.of(text, Math.min(begin, line.end()), line.end()).strip();
        if (!rest.blank()) {
            cells.add(rest);
        }
        return cells;
    }

    private int front(int from, int to) {
        int i = from;
        while (i < to && lines.all().get(i).kind() == Line.Kind.FRONT && fields.size() < MOST_FIELDS) {
            Line line = lines.all().get(i);
            int colon = text.indexOf(':', line.start(), line.end());
            if (line.indent() > 0 || colon < 0 || colon - line.start() > LONGEST_LABEL) {
                i++;
                continue;
            }
            String label = text.substring(line.start(), colon).strip();
            List<Plain> parts = new ArrayList<>(List.of(scalar(colon + 1, line.end())));
            i++;
            while (i < to && lines.all().get(i).kind() == Line.Kind.FRONT && parts.size() < MOST_PARTS) {
                Line more = lines.all().get(i);
                int first = reader.first(more);
                boolean item = first < more.end() && text.charAt(first) == '-' && !text.startsWith("---", first);
                if (more.indent() == 0 && !item) {
                    break;
                }
                parts.add(scalar(item ? first + 1 : first, more.end()));
                i++;
            }
            if (parts.size() > 1 && BLOCK.matcher(parts.getFirst().words()).matches()) {
                parts.removeFirst();
            }
            add(
                    new FieldLine.Found(Key.of(label), label, line.start(), parts.getFirst(), false),
                    Field.Style.YAML,
                    parts);
        }
        return Math.max(i, from + 1);
    }

    /** A value of YAML: without quotes, brackets of a list, and comment. */
    private Plain scalar(int from, int to) {
        int start = from;
        int end = Math.min(to, from + LONGEST_LINE);
        while (start < end && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        if (start < end && (text.charAt(start) == '"' || text.charAt(start) == '\'')) {
            int close = text.indexOf(text.charAt(start), start + 1, end);
            return Plain.raw(text, start + 1, close < 0 ? end : close);
        }
        int comment = text.indexOf(" #", start, end);
        end = comment < 0 ? end : comment;
        Plain value = Plain.raw(text, start, end).strip();
        String words = value.words();
        boolean listed = words.length() > 1 && words.charAt(0) == '[' && words.charAt(words.length() - 1) == ']';
        return listed ? value.slice(1, words.length() - 1).strip() : value;
    }
}

package dev.gavel.sep.document;

import java.util.Optional;

/** Reads a single line of a preamble: its label and its value. Stateless but for the text it reads. */
final class FieldLine {
    private static final int LONGEST_LABEL = 60;
    private static final int LONGEST_LINE = 20_000;

    private final String text;
    private final Lines lines;

    FieldLine(String text, Lines lines) {
        this.text = text;
        this.lines = lines;
    }

    /**
     * A label and its value.
     *
     * @param key empty where the label is none the format has
     * @param at where the label stands
     */
    record Found(Optional<Key> key, String label, int at, Plain value, boolean bullet) {}

    /** The field on a line; what the format does not know is one only if it is set off as one. */
    Optional<Found> read(Line line) {
        int content = content(line);
        int end = Math.min(line.end(), line.start() + LONGEST_LINE);
        // What looks like the beginning of code may become one when it is edited.
        if (content >= end || text.startsWith("```", content) || text.startsWith("~~~", content)) {
            return Optional.empty();
        }
        boolean quoted = text.charAt(first(line)) == '>';
        boolean bullet = bullet(line);
        Optional<Found> found = bold(content, end, bullet).or(() -> coloned(content, end, bullet));
        // A quotation says nothing of the document but where it was talked about.
        return found.filter(each -> !quoted
                || each.key()
                        .filter(key -> key == Key.DISCUSSION || key == Key.ISSUE)
                        .isPresent());
    }

    private Optional<Found> bold(int content, int end, boolean bullet) {
        if (!text.startsWith("**", content) && !text.startsWith("__", content)) {
            return Optional.empty();
        }
        int close =
                text.indexOf(text.substring(content, content + 2), content + 2, Math.min(end, content + LONGEST_LABEL));
        if (close < 0) {
            return Optional.empty();
        }
        String label = Plain.of(text, content + 2, close).words().strip();
        int value = close + 2;
        boolean colon = label.endsWith(":");
        if (colon) {
            label = label.substring(0, label.length() - 1).strip();
        }
        int at = value;
        while (at < end && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (!colon && at < end && ":：=–—".indexOf(text.charAt(at)) >= 0) {
            colon = true;
            value = at + 1;
        }
        Optional<Key> key = Key.of(label);
        return label.isEmpty() || (key.isEmpty() && !colon)
                ? Optional.empty()
                : Optional.of(new Found(
                        key, label, content, Plain.of(text, value, end).strip(), bullet));
    }

    private Optional<Found> coloned(int content, int end, boolean bullet) {
        Plain plain = Plain.of(text, content, end);
        String words = plain.words();
        int colon = words.indexOf(':');
        if (colon <= 0 || colon > LONGEST_LABEL) {
            return Optional.empty();
        }
        String label = words.substring(0, colon).strip();
        return Key.of(label)
                .map(key -> new Found(
                        Optional.of(key),
                        label,
                        plain.offset(0),
                        plain.slice(colon + 1, plain.length()).strip(),
                        bullet));
    }

    /** Where a line's words begin, behind what makes it a quotation or a bullet. */
    int content(Line line) {
        int at = first(line);
        if (at < line.end() && text.charAt(at) == '>') {
            at++;
            while (at < line.end() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
        if (at + 1 < line.end() && "-*+".indexOf(text.charAt(at)) >= 0 && Character.isWhitespace(text.charAt(at + 1))) {
            at += 2;
            while (at < line.end() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
        return at;
    }

    boolean bullet(Line line) {
        int at = first(line);
        return at + 1 < line.end()
                && "-*+".indexOf(text.charAt(at)) >= 0
                && Character.isWhitespace(text.charAt(at + 1));
    }

    int first(Line line) {
        return lines.spot(line).start();
    }
}

package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.PreambleKey;
import java.util.Optional;

/** Reads the label and value of one line of a preamble. Stateless but for the text it reads. */
final class PreambleLineReader {
    private static final int LONGEST_LABEL = 60;

    /** The length of a known label in the document, where character references can stand for its letters. */
    private static final int LONGEST_SOURCE = 240;

    private static final int LONGEST_LINE = 20_000;

    private final String text;
    private final DocumentLines lines;
    private final PreambleLabels labels;

    PreambleLineReader(String text, DocumentLines lines, PreambleLabels labels) {
        this.text = text;
        this.lines = lines;
        this.labels = labels;
    }

    /**
     * A label and its value.
     *
     * @param key empty if the format does not have the label
     * @param labelStart the document offset of the label
     */
    record ParsedField(
            Optional<PreambleKey> key,
            String label,
            int labelStart,
            PositionMappedText value,
            boolean bullet,
            boolean bold) {}

    /**
     * Returns the field on a line. A label that the format does not have counts only if it is bold and has a separator.
     */
    Optional<ParsedField> read(DocumentLine line) {
        int content = contentStart(line);
        int end = Math.min(line.end(), line.start() + LONGEST_LINE);
        // A value that looks like a code fence could become one when the document is edited.
        if (content >= end || text.startsWith("```", content) || text.startsWith("~~~", content)) {
            return Optional.empty();
        }
        boolean quoted = text.charAt(firstNonBlank(line)) == '>';
        boolean bullet = isBullet(line);
        Optional<ParsedField> parsedField =
                readBold(content, end, bullet).or(() -> readWithColon(content, end, bullet));
        // In a quotation, only links to a discussion or an issue count.
        return parsedField.filter(each -> !quoted
                || each.key()
                        .filter(key -> key == PreambleKey.DISCUSSION || key == PreambleKey.ISSUE)
                        .isPresent());
    }

    private Optional<ParsedField> readBold(int content, int end, boolean bullet) {
        if (!text.startsWith("**", content) && !text.startsWith("__", content)) {
            return Optional.empty();
        }
        int close = text.indexOf(
                text.substring(content, content + 2), content + 2, Math.min(end, content + LONGEST_SOURCE));
        if (close < 0) {
            return Optional.empty();
        }
        String label = PositionMappedText.of(text, content + 2, close).text().strip();
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
        Optional<PreambleKey> key = labels.find(label);
        return label.isEmpty() || (key.isEmpty() && (!colon || close - content > LONGEST_LABEL))
                ? Optional.empty()
                : Optional.of(new ParsedField(
                        key,
                        label,
                        content,
                        PositionMappedText.of(text, value, end).strip(),
                        bullet,
                        true));
    }

    private Optional<ParsedField> readWithColon(int content, int end, boolean bullet) {
        PositionMappedText positionMappedText = PositionMappedText.of(text, content, end);
        String words = positionMappedText.text();
        int colon = indexOfColon(words);
        if (colon <= 0 || colon > LONGEST_SOURCE) {
            return Optional.empty();
        }
        String label = words.substring(0, colon).strip();
        return labels.find(label)
                .map(key -> new ParsedField(
                        Optional.of(key),
                        label,
                        positionMappedText.offset(0),
                        positionMappedText
                                .slice(colon + 1, positionMappedText.length())
                                .strip(),
                        bullet,
                        false));
    }

    private static int indexOfColon(String words) {
        int plain = words.indexOf(':');
        int wide = words.indexOf('：');
        return plain < 0 || (wide >= 0 && wide < plain) ? wide : plain;
    }

    /** Returns the offset of a line's text after a quotation mark or bullet. */
    int contentStart(DocumentLine line) {
        int at = firstNonBlank(line);
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

    boolean isBullet(DocumentLine line) {
        int at = firstNonBlank(line);
        return at + 1 < line.end()
                && "-*+".indexOf(text.charAt(at)) >= 0
                && Character.isWhitespace(text.charAt(at + 1));
    }

    int firstNonBlank(DocumentLine line) {
        return lines.range(line).start();
    }
}

package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.PreambleKey;
import java.util.List;
import java.util.stream.Collectors;

/** A field of a document's preamble: its key, label, value and position. Immutable. */
public final class PreambleField {
    private final PreambleKey key;
    private final String label;
    private final TextRange labelRange;
    private final Style style;
    private final List<PositionMappedText> parts;
    private final TextRange valueRange;

    /** The syntax of a preamble. */
    enum Style {
        LINE,
        TABLE,
        YAML,
        /** A block of fields at the start of the text, as in a mail. */
        HEADER,
        /** In a file beside the document. */
        SIDE_FILE
    }

    PreambleField(
            PreambleKey key,
            String label,
            TextRange textRange,
            Style style,
            List<PositionMappedText> parts,
            TextRange valueSpot) {
        this.key = key;
        this.label = label;
        this.labelRange = textRange;
        this.style = style;
        this.parts = List.copyOf(parts);
        this.valueRange = valueSpot;
    }

    /** Returns the field as one of a file beside the document. Findings about it point to the document's start. */
    PreambleField inSideFile() {
        TextRange start = new TextRange(0, 0, 1, 1);
        return new PreambleField(key, label, start, Style.SIDE_FILE, parts, start);
    }

    public PreambleKey key() {
        return key;
    }

    /** Returns the label as written in the document. */
    public String label() {
        return label;
    }

    public TextRange labelRange() {
        return labelRange;
    }

    /**
     * Returns the range of the value without surrounding marks; if there is no value, the position at which it would
     * be.
     */
    public TextRange valueRange() {
        return valueRange;
    }

    /** Returns the first line of the value, without markup; in a header, the whole value on one line. */
    public String value() {
        return style == Style.HEADER
                ? fullValue().replace('\n', ' ')
                : parts.getFirst().text().strip();
    }

    /** Returns the whole value, without markup. */
    public String fullValue() {
        return parts.stream()
                .map(PositionMappedText::text)
                .map(String::strip)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    PositionMappedText firstLine() {
        return parts.getFirst();
    }

    PositionMappedText lastLine() {
        return parts.getLast();
    }

    Style style() {
        return style;
    }
}

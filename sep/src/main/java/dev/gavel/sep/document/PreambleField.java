package dev.gavel.sep.document;

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

    /** How a preamble is set. */
    enum Style {
        LINE,
        TABLE,
        YAML
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

    /** What it is about. */
    public PreambleKey key() {
        return key;
    }

    /** What it is called there. */
    public String label() {
        return label;
    }

    /** Where its label stands. */
    public TextRange labelRange() {
        return labelRange;
    }

    /** Where its value stands, marks around it left out; where there is no value, where it would be. */
    public TextRange valueRange() {
        return valueRange;
    }

    /** Its first line's value, without marks. */
    public String value() {
        return parts.getFirst().text().strip();
    }

    /** All of its value, without marks. */
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

    Style style() {
        return style;
    }
}

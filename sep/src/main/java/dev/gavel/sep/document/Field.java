package dev.gavel.sep.document;

import java.util.List;
import java.util.stream.Collectors;

/** A line of a preamble, with what it goes on with on the lines below. Immutable. */
public final class Field {
    private final Key key;
    private final String label;
    private final Spot spot;
    private final Style style;
    private final List<Plain> parts;
    private final Spot valueSpot;

    /** How a preamble is set. */
    enum Style {
        LINE,
        TABLE,
        YAML
    }

    Field(Key key, String label, Spot spot, Style style, List<Plain> parts, Spot valueSpot) {
        this.key = key;
        this.label = label;
        this.spot = spot;
        this.style = style;
        this.parts = List.copyOf(parts);
        this.valueSpot = valueSpot;
    }

    /** What it is about. */
    public Key key() {
        return key;
    }

    /** What it is called there. */
    public String label() {
        return label;
    }

    /** Where its label stands. */
    public Spot spot() {
        return spot;
    }

    /** Where its value stands, marks around it left out; where there is no value, where it would be. */
    public Spot valueSpot() {
        return valueSpot;
    }

    /** Its first line's value, without marks. */
    public String value() {
        return parts.getFirst().words().strip();
    }

    /** All of its value, without marks. */
    public String all() {
        return parts.stream()
                .map(Plain::words)
                .map(String::strip)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    Plain plain() {
        return parts.getFirst();
    }

    Style style() {
        return style;
    }
}

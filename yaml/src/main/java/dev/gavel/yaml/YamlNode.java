package dev.gavel.yaml;

import java.util.List;

/** A scalar, sequence or mapping of a YAML document, with its source position. Immutable. */
public sealed interface YamlNode {
    /** The position at which the node begins. */
    SourcePosition position();

    /** What the node is, worded for error messages. */
    String description();

    /** A single value as text; the reader of the node interprets its type. */
    record Scalar(SourcePosition position, String text, boolean quoted) implements YamlNode {
        /** Whether the value is empty and unquoted: {@code key:} without a value, {@code ~} or {@code null}. */
        public boolean isEmpty() {
            return !quoted && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String description() {
            return isEmpty() ? "an empty value" : "'" + text + "'";
        }
    }

    /** A list of nodes. */
    record Sequence(SourcePosition position, List<YamlNode> items) implements YamlNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String description() {
            return "a list";
        }
    }

    /** Keys and values in the order of the file; keys are unique. */
    record Mapping(SourcePosition position, List<Entry> entries) implements YamlNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String description() {
            return "a mapping";
        }
    }

    /** A key of a mapping with its value. */
    record Entry(Scalar key, YamlNode value) {}
}

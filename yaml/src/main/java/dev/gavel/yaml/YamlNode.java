package dev.gavel.yaml;

import java.util.List;

/** A scalar, sequence or mapping of a YAML document, with its source position. Immutable. */
public sealed interface YamlNode {
    /** Where it begins. */
    SourcePosition position();

    /** What it is, as a person would say it. */
    String description();

    /** A single value; YAML's types are left to whoever asks for one. */
    record Scalar(SourcePosition position, String text, boolean quoted) implements YamlNode {
        /** An unquoted nothing: {@code key:} with no value, {@code ~} or {@code null}. */
        public boolean isEmpty() {
            return !quoted && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String description() {
            return isEmpty() ? "nothing" : "'" + text + "'";
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

    /** Keys and values in the order of the file; no key stands twice. */
    record Mapping(SourcePosition position, List<Entry> entries) implements YamlNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String description() {
            return "a mapping";
        }
    }

    /** One key of a mapping with its value. */
    record Entry(Scalar key, YamlNode value) {}
}

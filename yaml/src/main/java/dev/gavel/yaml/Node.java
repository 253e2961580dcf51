package dev.gavel.yaml;

import java.util.List;

/** A part of a YAML text, with where it stands. Immutable. */
public sealed interface Node {
    /** Where it begins. */
    Position position();

    /** What it is, as a person would say it. */
    String description();

    /** A single value; YAML's types are left to whoever asks for one. */
    record Scalar(Position position, String text, boolean quoted) implements Node {
        /** An unquoted nothing: {@code key:} with no value, {@code ~} or {@code null}. */
        public boolean empty() {
            return !quoted && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String description() {
            return empty() ? "nothing" : "'" + text + "'";
        }
    }

    /** A list of nodes. */
    record Sequence(Position position, List<Node> items) implements Node {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String description() {
            return "a list";
        }
    }

    /** Keys and values in the order of the file; no key stands twice. */
    record Mapping(Position position, List<Entry> entries) implements Node {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String description() {
            return "a mapping";
        }
    }

    /** One key of a mapping with its value. */
    record Entry(Scalar key, Node value) {}
}

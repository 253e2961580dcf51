package dev.gavel.sep.chart;

import java.util.List;

/** A bar, column or step chart: its title, description and values. Immutable. */
public sealed interface Chart {
    /** What it shows, in a few words. */
    String title();

    /** What is to be seen in it, for those who cannot. */
    String description();

    /**
     * One bar a row, each of several parts one after the other.
     *
     * @param parts what the parts of every bar are called; a single one needs no legend
     */
    record Bars(String title, String description, List<String> parts, List<Row> rows) implements Chart {
        public Bars {
            parts = List.copyOf(parts);
            rows = List.copyOf(rows);
            for (Row row : rows) {
                sameSize(parts.size(), row.values().size(), row.label());
            }
        }
    }

    /**
     * A row of a bar chart.
     *
     * @param note what stands at the end of the bar
     */
    record Row(String label, List<Double> values, String note) {
        public Row {
            values = checked(values);
        }
    }

    /** Several columns a label, side by side: what happened in each of a row of months. */
    record Columns(String title, String description, List<String> labels, List<Series> parts) implements Chart {
        public Columns {
            labels = List.copyOf(labels);
            parts = List.copyOf(parts);
            for (Series part : parts) {
                sameSize(labels.size(), part.values().size(), part.name());
            }
        }
    }

    /** Lines that stay as they are until the next label, such as how many there were at the end of each month. */
    record Steps(String title, String description, List<String> labels, List<Series> lines) implements Chart {
        public Steps {
            labels = List.copyOf(labels);
            lines = List.copyOf(lines);
            for (Series line : lines) {
                sameSize(labels.size(), line.values().size(), line.name());
            }
        }
    }

    /** A number for every label. */
    record Series(String name, List<Double> values) {
        public Series {
            values = checked(values);
        }
    }

    private static List<Double> checked(List<Double> values) {
        for (double value : values) {
            if (!Double.isFinite(value) || value < 0) {
                throw new IllegalArgumentException("a length is a number from 0 on, and not " + value);
            }
        }
        return List.copyOf(values);
    }

    private static void sameSize(int expected, int size, String name) {
        if (expected != size) {
            throw new IllegalArgumentException(
                    "'" + name + "' has " + size + " values where there are " + expected + " places");
        }
    }
}

package dev.gavel.sep.chart;

import java.util.List;

/** A bar, column or step chart: its title, description and values. Immutable. */
public sealed interface Chart {
    /** Returns what the chart shows, in a few words. */
    String title();

    /** Returns what can be seen in the chart, as text for people who cannot see it. */
    String description();

    /**
     * A bar chart with one bar per row; each bar consists of one or more parts.
     *
     * @param parts the names of the parts of every bar; a single part needs no legend
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
     * @param note the text at the end of the bar
     */
    record Row(String label, List<Double> values, String note) {
        public Row {
            values = checked(values);
        }
    }

    /** A column chart with several columns side by side for each label, such as the counts of each month. */
    record Columns(String title, String description, List<String> labels, List<Series> parts) implements Chart {
        public Columns {
            labels = List.copyOf(labels);
            parts = List.copyOf(parts);
            for (Series part : parts) {
                sameSize(labels.size(), part.values().size(), part.name());
            }
        }
    }

    /**
     * A step chart, whose lines stay level until the next label, such as the number of open SEPs at the end of each
     * month.
     */
    record Steps(String title, String description, List<String> labels, List<Series> lines) implements Chart {
        public Steps {
            labels = List.copyOf(labels);
            lines = List.copyOf(lines);
            for (Series line : lines) {
                sameSize(labels.size(), line.values().size(), line.name());
            }
        }
    }

    /** A named series with one value for each label. */
    record Series(String name, List<Double> values) {
        public Series {
            values = checked(values);
        }
    }

    private static List<Double> checked(List<Double> values) {
        for (double value : values) {
            if (!Double.isFinite(value) || value < 0) {
                throw new IllegalArgumentException("A chart value must be a finite number of at least 0, not " + value);
            }
        }
        return List.copyOf(values);
    }

    private static void sameSize(int expected, int size, String name) {
        if (expected != size) {
            throw new IllegalArgumentException("'" + name + "' has " + size + " values instead of " + expected);
        }
    }
}

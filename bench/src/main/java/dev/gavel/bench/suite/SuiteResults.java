package dev.gavel.bench.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the figures and charts of all suite parts and prints each figure as soon as it is known. Confined to the
 * thread that runs the parts.
 */
final class SuiteResults {
    static final String TABLE_HEADER = """
            | Figure | Value | Target | Result | Details |
            |---|--:|---|---|---|""";

    private final PrintStream out;
    private final List<BenchmarkFigure> figures = new ArrayList<>();
    private final List<BarChart> barCharts = new ArrayList<>();
    private String part = "";

    SuiteResults(PrintStream out) {
        this.out = out;
        out.println(TABLE_HEADER);
    }

    /** Starts another part, to which the following figures belong. */
    void beginPart(String name) {
        part = name;
    }

    /** Adds a ratio, or another number without a unit. */
    void addRatio(String what, double value, FigureTarget target, String bare) {
        addFigure(what, value, "", target, bare);
    }

    /** Adds a figure with a unit, which includes a leading space if needed. */
    void addFigure(String what, double value, String unit, FigureTarget target, String bare) {
        BenchmarkFigure figure = new BenchmarkFigure(part, what, value, unit, target, bare);
        figures.add(figure);
        out.println(figure.markdownRow());
    }

    void addChart(BarChart barChart) {
        barCharts.add(barChart);
    }

    List<BenchmarkFigure> figures() {
        return List.copyOf(figures);
    }

    List<BarChart> charts() {
        return List.copyOf(barCharts);
    }
}

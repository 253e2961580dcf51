package dev.gavel.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the suite's figures and charts into {@code docs/benchmarks.md}. */
final class BenchmarksDocumentWriter {
    static final String DOCUMENT = "benchmarks.md";

    private static final String BEGIN = "<!-- figures: written by ./gavel-bench -->";
    private static final String END = "<!-- end of figures -->";
    private static final String PLOTS = "benchmarks";

    private BenchmarksDocumentWriter() {}

    /** Replaces the table in the document, and writes the charts beside it. */
    static void write(Path docs, String machine, SuiteResults suiteResults) throws IOException {
        Path document = docs.resolve(DOCUMENT);
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(document + " must contain the line '" + BEGIN + "' and, after it, '" + END + "'");
        }
        Files.createDirectories(docs.resolve(PLOTS));
        for (BarChart barChart : suiteResults.charts()) {
            Files.writeString(docs.resolve(PLOTS).resolve(barChart.fileName() + ".svg"), barChart.toSvg());
        }
        Files.writeString(
                document,
                text.substring(0, begin + BEGIN.length()) + block(machine, suiteResults) + text.substring(end));
    }

    private static String block(String machine, SuiteResults suiteResults) {
        String rows = suiteResults.figures().stream()
                .map(BenchmarkFigure::markdownRow)
                .collect(Collectors.joining("\n"));
        List<BenchmarkFigure> missed = suiteResults.figures().stream()
                .filter(figure -> !figure.meetsTarget())
                .toList();
        String plots = suiteResults.charts().stream()
                .map(barChart -> "![%s](%s/%s.svg)".formatted(barChart.title(), PLOTS, barChart.fileName()))
                .collect(Collectors.joining("\n\n"));
        return """


                %s.

                %s
                %s

                %s

                %s

                """.formatted(machine, SuiteResults.TABLE_HEADER, rows, summary(missed), plots);
    }

    /** A sentence about the missed targets. */
    static String summary(List<BenchmarkFigure> missed) {
        return missed.isEmpty()
                ? "All targets are met."
                : "Missed targets: "
                        + missed.stream()
                                .map(figure -> figure.label() + " (" + figure.part() + ")")
                                .collect(Collectors.joining("; "))
                        + ".";
    }
}

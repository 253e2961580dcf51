package dev.gavel.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes figures and plots where the document is that shows them. */
final class Report {
    static final String DOCUMENT = "benchmarks.md";

    private static final String BEGIN = "<!-- figures: written by ./gavel-bench -->";
    private static final String END = "<!-- end of figures -->";
    private static final String PLOTS = "benchmarks";

    private Report() {}

    /** Puts the table in place of the one before, and the plots beside it. */
    static void write(Path docs, String machine, Sheet sheet) throws IOException {
        Path document = docs.resolve(DOCUMENT);
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(document + " has no place for figures: a line '" + BEGIN + "', and '" + END + "'");
        }
        Files.createDirectories(docs.resolve(PLOTS));
        for (Plot plot : sheet.plots()) {
            Files.writeString(docs.resolve(PLOTS).resolve(plot.file() + ".svg"), plot.svg());
        }
        Files.writeString(
                document, text.substring(0, begin + BEGIN.length()) + block(machine, sheet) + text.substring(end));
    }

    private static String block(String machine, Sheet sheet) {
        String rows = sheet.figures().stream().map(Figure::row).collect(Collectors.joining("\n"));
        List<Figure> missed =
                sheet.figures().stream().filter(figure -> !figure.isMet()).toList();
        String plots = sheet.plots().stream()
                .map(plot -> "![%s](%s/%s.svg)".formatted(plot.title(), PLOTS, plot.file()))
                .collect(Collectors.joining("\n\n"));
        return """


                %s.

                %s
                %s

                %s

                %s

                """.formatted(machine, Sheet.HEAD, rows, summary(missed), plots);
    }

    /** In a sentence, what was missed. */
    static String summary(List<Figure> missed) {
        return missed.isEmpty()
                ? "Every target is met."
                : "Missed: "
                        + missed.stream()
                                .map(figure -> figure.part() + ", " + figure.what())
                                .collect(Collectors.joining("; "))
                        + ".";
    }
}

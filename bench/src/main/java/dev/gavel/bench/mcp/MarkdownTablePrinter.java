package dev.gavel.bench.mcp;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints benchmark results as Markdown tables. Not thread-safe. */
final class MarkdownTablePrinter {
    private final PrintStream out;

    MarkdownTablePrinter(PrintStream out) {
        this.out = out;
    }

    void printLine(String line) {
        out.println(line);
        out.println();
    }

    /** Starts a table; its first column contains text, the others numbers. */
    void printHeader(String... columns) {
        out.println();
        printRow(columns);
        out.println("|---|" + "--:|".repeat(columns.length - 1));
    }

    void printRow(String... cells) {
        out.println(Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |")));
    }

    static String formatNumber(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}

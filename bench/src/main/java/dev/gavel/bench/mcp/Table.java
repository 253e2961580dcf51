package dev.gavel.bench.mcp;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints tables in Markdown. Not thread-safe. */
final class Table {
    private final PrintStream out;

    Table(PrintStream out) {
        this.out = out;
    }

    void say(String line) {
        out.println(line);
        out.println();
    }

    /** Begins a table; its first column is for words, the others for figures. */
    void head(String... columns) {
        out.println();
        row(columns);
        out.println("|---|" + "--:|".repeat(columns.length - 1));
    }

    void row(String... cells) {
        out.println(Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |")));
    }

    static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}

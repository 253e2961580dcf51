package dev.gavel.faults.reliability;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Prints the checks and figures of the reliability trials as Markdown table rows, and tells whether every check passed.
 * Confined to the thread that runs them.
 */
final class TrialReport {
    private final PrintStream out;
    private boolean allHeld = true;
    private String trial = "";

    TrialReport(PrintStream out) {
        this.out = out;
        out.println("| trial | check | result | passed |");
        out.println("|---|---|---|---|");
    }

    void beginTrial(String name) {
        trial = name;
    }

    /** Adds a check, with the observed value. */
    void check(String what, boolean holds, Object observed) {
        allHeld &= holds;
        printRow(what, observed, holds ? "yes" : "**no**");
    }

    /** Adds a check that there are as many as expected. */
    void checkCount(String what, long expected, long observed) {
        check(
                what,
                expected == observed,
                expected == observed
                        ? formatNumber(observed)
                        : formatNumber(observed) + " of " + formatNumber(expected));
    }

    /** Adds a figure without a target. */
    void addFigure(String what, Object observed) {
        printRow(what, observed, "");
    }

    void addRatio(String what, double ratio) {
        addFigure(what, String.format(Locale.ROOT, "%.2f", ratio));
    }

    void addBytes(String what, long bytes) {
        addFigure(what, formatBytes(bytes));
    }

    private void printRow(String what, Object observed, String holds) {
        out.println("| " + trial + " | " + what + " | " + observed + " | " + holds + " |");
    }

    boolean allHeld() {
        return allHeld;
    }

    static String formatNumber(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String formatBytes(long bytes) {
        return Math.abs(bytes) < 1024 * 1024
                ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MiB", bytes / 1024.0 / 1024.0);
    }
}

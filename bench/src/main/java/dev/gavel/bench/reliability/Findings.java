package dev.gavel.bench.reliability;

import java.io.PrintStream;
import java.util.Locale;

/** What came out of trials, printed as rows of a table while they run. Confined to the thread that runs them. */
final class Findings {
    private final PrintStream out;
    private boolean all = true;
    private String trial = "";

    Findings(PrintStream out) {
        this.out = out;
        out.println("| trial | what | came out | holds |");
        out.println("|---|---|---|---|");
    }

    void trial(String name) {
        trial = name;
    }

    /** Something that is to hold, with what was seen. */
    void holds(String what, boolean holds, Object seen) {
        all &= holds;
        row(what, seen, holds ? "yes" : "**no**");
    }

    /** As many of something as there are to be. */
    void count(String what, long expected, long seen) {
        holds(what, expected == seen, expected == seen ? number(seen) : number(seen) + " of " + number(expected));
    }

    /** A measure nobody promised. */
    void figure(String what, Object seen) {
        row(what, seen, "");
    }

    void ratio(String what, double ratio) {
        figure(what, String.format(Locale.ROOT, "%.2f", ratio));
    }

    void bytes(String what, long bytes) {
        figure(what, size(bytes));
    }

    private void row(String what, Object seen, String holds) {
        out.println("| " + trial + " | " + what + " | " + seen + " | " + holds + " |");
    }

    boolean all() {
        return all;
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String size(long bytes) {
        return Math.abs(bytes) < 1024 * 1024
                ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MiB", bytes / 1024.0 / 1024.0);
    }
}

package dev.gavel.cli;

import dev.gavel.cli.terminal.TerminalProbe;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Counts the steps of a long-running command and shows the count on one line of the terminal. Not thread-safe. */
public final class ProgressLine {
    /** Shorter work shows no progress. */
    private static final long SHOW_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long UPDATE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintWriter err;
    private final String unit;
    private final BooleanSupplier terminal;
    private final LongSupplier nanoClock;
    private long steps;
    private long shownAt;
    private int shownLength;

    ProgressLine(PrintWriter err, String unit, BooleanSupplier terminal, LongSupplier nanoClock) {
        this.err = err;
        this.unit = unit;
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.shownAt = nanoClock.getAsLong() + SHOW_AFTER_NANOS - UPDATE_NANOS;
    }

    /**
     * Creates a progress line on standard error.
     *
     * @param unit the unit that is counted, such as "files read"
     */
    public static ProgressLine onStandardError(PrintWriter err, String unit) {
        return new ProgressLine(err, unit, TerminalProbe::isStandardErrorTerminal, System::nanoTime);
    }

    /** Counts one step and updates the line if it is due. */
    public void step() {
        steps++;
        long now = nanoClock.getAsLong();
        if (now - shownAt >= UPDATE_NANOS) {
            shownAt = now;
            if (terminal.getAsBoolean()) {
                String line = steps + " " + unit;
                shownLength = line.length();
                err.print("\r" + line);
                err.flush();
            }
        }
    }

    public long steps() {
        return steps;
    }

    /** Erases the progress line, so that the terminal shows only the result. */
    public void clear() {
        if (shownLength > 0) {
            err.print("\r" + " ".repeat(shownLength) + "\r");
            err.flush();
            shownLength = 0;
        }
    }
}

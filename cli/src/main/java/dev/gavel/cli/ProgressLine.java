package dev.gavel.cli;

import dev.gavel.cli.terminal.TerminalProbe;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Counts the steps of long work and shows the count on the terminal. Not thread-safe. */
public final class ProgressLine {
    /** Shorter work shows no progress. */
    private static final long SHOW_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long UPDATE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintWriter err;
    private final String what;
    private final BooleanSupplier terminal;
    private final LongSupplier nanos;
    private long steps;
    private long shownAt;
    private int shown;

    ProgressLine(PrintWriter err, String what, BooleanSupplier terminal, LongSupplier nanos) {
        this.err = err;
        this.what = what;
        this.terminal = terminal;
        this.nanos = nanos;
        this.shownAt = nanos.getAsLong() + SHOW_AFTER_NANOS - UPDATE_NANOS;
    }

    /**
     * Creates a progress line on standard error.
     *
     * @param what the unit that is counted, such as "files read"
     */
    public static ProgressLine onStandardError(PrintWriter err, String what) {
        return new ProgressLine(err, what, TerminalProbe::isStandardErrorTerminal, System::nanoTime);
    }

    /** Counts one step and updates the line if it is due. */
    public void step() {
        steps++;
        long now = nanos.getAsLong();
        if (now - shownAt >= UPDATE_NANOS) {
            shownAt = now;
            if (terminal.getAsBoolean()) {
                String line = steps + " " + what;
                shown = line.length();
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
        if (shown > 0) {
            err.print("\r" + " ".repeat(shown) + "\r");
            err.flush();
            shown = 0;
        }
    }
}

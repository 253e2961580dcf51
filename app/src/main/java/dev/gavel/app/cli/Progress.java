package dev.gavel.app.cli;

import dev.gavel.app.terminal.Terminal;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Counts the steps of a piece of work, and says on a terminal how far it has come if it takes long. Not thread-safe. */
public final class Progress {
    /** Work that takes less needs no word. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintWriter err;
    private final String what;
    private final BooleanSupplier terminal;
    private final LongSupplier nanos;
    private long steps;
    private long saidAt;
    private int shown;

    Progress(PrintWriter err, String what, BooleanSupplier terminal, LongSupplier nanos) {
        this.err = err;
        this.what = what;
        this.terminal = terminal;
        this.nanos = nanos;
        this.saidAt = nanos.getAsLong() + PATIENCE - INTERVAL;
    }

    /** Counts what was done, in words such as "files read". */
    public static Progress onStandardError(PrintWriter err, String what) {
        return new Progress(err, what, Terminal::isStandardError, System::nanoTime);
    }

    /** One more is done. */
    public void step() {
        steps++;
        long now = nanos.getAsLong();
        if (now - saidAt >= INTERVAL) {
            saidAt = now;
            if (terminal.getAsBoolean()) {
                String line = steps + " " + what;
                shown = line.length();
                err.print("\r" + line);
                err.flush();
            }
        }
    }

    long steps() {
        return steps;
    }

    /** Takes back what was said, so that the terminal shows only what came of it. */
    public void end() {
        if (shown > 0) {
            err.print("\r" + " ".repeat(shown) + "\r");
            err.flush();
            shown = 0;
        }
    }
}

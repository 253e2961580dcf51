package dev.gavel.app.cli;

import dev.gavel.app.terminal.Columns;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command prints: results for people, or JSON for programs and nothing else. Not thread-safe. */
public final class Screen {
    private static final String ERASE_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;
    private final boolean coloured;
    private final boolean terminal;
    private final IntSupplier width;
    private boolean live;

    /**
     * A screen of these two streams.
     *
     * @param json whether {@code out} is for programs
     * @param terminal whether a line can be written over
     * @param width how many characters fit into a line; asked only where it matters, since it takes a while to find out
     */
    Screen(PrintWriter out, PrintWriter err, boolean json, boolean coloured, boolean terminal, IntSupplier width) {
        this.out = out;
        this.err = err;
        this.json = json;
        this.coloured = coloured;
        this.terminal = terminal;
        this.width = width;
    }

    /** The screen of a command that talks to no server. */
    public static Screen of(CommandSpec spec, boolean json) {
        GavelCommand root = (GavelCommand) spec.root().userObject();
        Surroundings here = root.surroundings();
        boolean coloured = here.terminal()
                && !root.options().colourless()
                && here.variable("NO_COLOR").isEmpty();
        return new Screen(
                spec.commandLine().getOut(), spec.commandLine().getErr(), json, coloured, here.terminal(), here::width);
    }

    /** Whether a program reads it. */
    public boolean json() {
        return json;
    }

    /** Whether a person reads it as it is printed. */
    public boolean terminal() {
        return terminal;
    }

    /** How many characters fit into a line. */
    public int width() {
        return width.getAsInt();
    }

    /** The same for people, on another stream. */
    Screen onto(PrintWriter other) {
        return new Screen(other, err, false, coloured, terminal, width);
    }

    /** Sets a text off, where there are colours. */
    public String paint(Style style, String text) {
        return coloured ? style.paint(text) : text;
    }

    /** A line for people; programs are not shown it. */
    public void line(String text) {
        if (!json) {
            settle();
            out.println(text);
            out.flush();
        }
    }

    /** How something stands now: on a terminal it takes the place of how it stood before. */
    public void status(String text) {
        if (json) {
            return;
        }
        if (terminal) {
            out.print(ERASE_LINE + Columns.cut(SafeText.line(text), width() - 1));
            out.flush();
            live = true;
        } else {
            line(SafeText.line(text));
        }
    }

    /** A JSON document for programs; people are not shown it. */
    public void document(String text) {
        if (json) {
            out.println(SafeText.json(text));
            out.flush();
        }
    }

    /** Counts the steps of something long, and says on a terminal how far it has come. */
    public Progress progress(String what) {
        return Progress.onStandardError(err, what);
    }

    /** Words beside a result, where the result alone is on standard output. */
    public void note(String text) {
        err.println(SafeText.line(text));
        err.flush();
    }

    /** Something that went wrong but ends nothing. */
    public void warn(String text) {
        settle();
        err.println("gavel: " + SafeText.line(text));
        err.flush();
    }

    /** Whether nobody reads any more, as behind a pipe that was closed. */
    boolean unread() {
        return out.checkError();
    }

    private void settle() {
        if (live) {
            out.print(ERASE_LINE);
            out.flush();
            live = false;
        }
    }
}

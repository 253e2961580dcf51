package dev.gavel.cli;

import dev.gavel.mcpx.text.DisplayWidth;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command's output: lines for people, or JSON for programs, with colours where a terminal has them. Not thread-safe.
 */
public final class CommandOutput {
    private static final String ERASE_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;
    private final boolean coloured;
    private final boolean terminal;
    private final IntSupplier width;
    private boolean statusShown;

    /**
     * A screen of these two streams.
     *
     * @param json whether {@code out} is for programs
     * @param terminal whether a line can be written over
     * @param width how many characters fit into a line; asked only where it matters, since it takes a while to find out
     */
    public CommandOutput(
            PrintWriter out, PrintWriter err, boolean json, boolean coloured, boolean terminal, IntSupplier width) {
        this.out = out;
        this.err = err;
        this.json = json;
        this.coloured = coloured;
        this.terminal = terminal;
        this.width = width;
    }

    /** The screen of a command that talks to no server. */
    public static CommandOutput of(CommandSpec spec, boolean json) {
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        CommandEnvironment here = root.environment();
        boolean coloured = here.terminal()
                && !root.options().noColor()
                && here.variable("NO_COLOR").isEmpty();
        return new CommandOutput(
                spec.commandLine().getOut(), spec.commandLine().getErr(), json, coloured, here.terminal(), here::width);
    }

    /** Whether a program reads it. */
    public boolean isJson() {
        return json;
    }

    /** Whether a person reads it as it is printed. */
    public boolean isTerminal() {
        return terminal;
    }

    /** How many characters fit into a line. */
    public int width() {
        return width.getAsInt();
    }

    /** The same for people, on another stream. */
    public CommandOutput withWriter(PrintWriter other) {
        return new CommandOutput(other, err, false, coloured, terminal, width);
    }

    /** Sets a text off, where there are colours. */
    public String paint(TerminalStyle style, String text) {
        return coloured ? style.paint(text) : text;
    }

    /** A line for people; programs are not shown it. */
    public void printLine(String text) {
        if (!json) {
            clearStatus();
            out.println(text);
            out.flush();
        }
    }

    /** How something stands now: on a terminal it takes the place of how it stood before. */
    public void showStatus(String text) {
        if (json) {
            return;
        }
        if (terminal) {
            out.print(ERASE_LINE + DisplayWidth.truncate(SafeText.line(text), width() - 1));
            out.flush();
            statusShown = true;
        } else {
            printLine(SafeText.line(text));
        }
    }

    /** A JSON document for programs; people are not shown it. */
    public void printJson(String text) {
        if (json) {
            out.println(SafeText.json(text));
            out.flush();
        }
    }

    /** Counts the steps of something long, and says on a terminal how far it has come. */
    public ProgressLine progress(String what) {
        return ProgressLine.onStandardError(err, what);
    }

    /** Words beside a result, where the result alone is on standard output. */
    public void printNote(String text) {
        err.println(SafeText.line(text));
        err.flush();
    }

    /** Something that went wrong but ends nothing. */
    public void warn(String text) {
        clearStatus();
        err.println("gavel: " + SafeText.line(text));
        err.flush();
    }

    /** Whether nobody reads any more, as behind a pipe that was closed. */
    public boolean isClosedByReader() {
        return out.checkError();
    }

    private void clearStatus() {
        if (statusShown) {
            out.print(ERASE_LINE);
            out.flush();
            statusShown = false;
        }
    }
}

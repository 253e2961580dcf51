package dev.gavel.cli;

import dev.gavel.mcpx.text.DisplayWidth;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command's output: lines for people, or JSON for programs, with colours if the terminal has them. Not thread-safe.
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
     * Creates an output that writes to these two streams.
     *
     * @param json whether {@code out} is for programs
     * @param terminal whether a line can be overwritten
     * @param width returns how many characters fit into a line; called only when needed, because finding the width is
     *     slow
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

    /** The output of a command that talks to no server. */
    public static CommandOutput of(CommandSpec spec, boolean json) {
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        CommandEnvironment environment = root.environment();
        boolean coloured = environment.terminal()
                && !root.options().noColor()
                && environment.variable("NO_COLOR").isEmpty();
        return new CommandOutput(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                json,
                coloured,
                environment.terminal(),
                environment::width);
    }

    /** Whether the output is JSON for programs. */
    public boolean isJson() {
        return json;
    }

    /** Whether a person reads the output as it is printed. */
    public boolean isTerminal() {
        return terminal;
    }

    /** How many characters fit into a line. */
    public int width() {
        return width.getAsInt();
    }

    /** Returns a copy that prints text for people to another stream. */
    public CommandOutput withWriter(PrintWriter other) {
        return new CommandOutput(other, err, false, coloured, terminal, width);
    }

    /** Applies a style to a text if colours are on; otherwise returns the text unchanged. */
    public String paint(TerminalStyle style, String text) {
        return coloured ? style.paint(text) : text;
    }

    /** Prints a line for people. Prints nothing in JSON mode. */
    public void printLine(String text) {
        if (!json) {
            clearStatus();
            out.println(text);
            out.flush();
        }
    }

    /** Shows a status line; on a terminal it replaces the previous status line. Prints nothing in JSON mode. */
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

    /** Prints a JSON document for programs. Prints nothing outside JSON mode. */
    public void printJson(String text) {
        if (json) {
            out.println(SafeText.json(text));
            out.flush();
        }
    }

    /** Starts a progress line on standard error, which counts steps and shows the count on a terminal. */
    public ProgressLine progress(String unit) {
        return ProgressLine.onStandardError(err, unit);
    }

    /** Prints a note to standard error, so that standard output holds the result alone. */
    public void printNote(String text) {
        err.println(SafeText.line(text));
        err.flush();
    }

    /** Prints a warning to standard error; the command goes on. */
    public void warn(String text) {
        clearStatus();
        err.println("gavel: " + SafeText.line(text));
        err.flush();
    }

    /** Whether the reader has closed standard output, such as a pipe whose reading end is closed. */
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

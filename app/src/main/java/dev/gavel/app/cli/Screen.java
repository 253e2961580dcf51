package dev.gavel.app.cli;

import dev.gavel.app.terminal.Columns;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.util.function.IntSupplier;

/** Where a command prints: results for people, or JSON for programs and nothing else. Not thread-safe. */
final class Screen {
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

    /** Whether a program reads it. */
    boolean json() {
        return json;
    }

    boolean terminal() {
        return terminal;
    }

    int width() {
        return width.getAsInt();
    }

    /** The same for people, on another stream. */
    Screen onto(PrintWriter other) {
        return new Screen(other, err, false, coloured, terminal, width);
    }

    String paint(Style style, String text) {
        return coloured ? style.paint(text) : text;
    }

    /** A line for people; programs are not shown it. */
    void line(String text) {
        if (!json) {
            settle();
            out.println(text);
            out.flush();
        }
    }

    /** How something stands now: on a terminal it takes the place of how it stood before. */
    void status(String text) {
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
    void document(String text) {
        if (json) {
            out.println(SafeText.json(text));
            out.flush();
        }
    }

    /** Words beside a result, where the result alone is on standard output. */
    void note(String text) {
        err.println(SafeText.line(text));
        err.flush();
    }

    /** Something that went wrong but ends nothing. */
    void warn(String text) {
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

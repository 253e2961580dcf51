package dev.gavel.cli.terminal;

import java.util.List;

/** Something a page can be drawn on, line by line. */
public interface TerminalDisplay {
    /** How large it is now. */
    TerminalSize size();

    /** Shows these lines and nothing else; none is wider than it is, nor are there more than fit. */
    void draw(List<String> lines);

    /** Hands the terminal to another program meanwhile. */
    void suspendFor(InterruptibleAction borrower) throws InterruptedException;

    /** What may be interrupted. */
    @FunctionalInterface
    interface InterruptibleAction {
        void run() throws InterruptedException;
    }
}

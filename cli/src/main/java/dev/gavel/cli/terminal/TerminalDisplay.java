package dev.gavel.cli.terminal;

import java.util.List;

/** A display of text lines that a full-screen command draws on. */
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

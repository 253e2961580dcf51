package dev.gavel.cli.terminal;

import java.util.List;

/** The terminal screen on which a full-screen command draws lines of text. */
public interface TerminalDisplay {
    /** The current size. */
    TerminalSize size();

    /** Shows these lines and nothing else. The caller ensures that they fit in width and height. */
    void draw(List<String> lines);

    /**
     * Restores the terminal, runs the action, in which another program uses the terminal, and takes the terminal over
     * again.
     */
    void suspendFor(InterruptibleAction action) throws InterruptedException;

    /** An action that may be interrupted. */
    @FunctionalInterface
    interface InterruptibleAction {
        void run() throws InterruptedException;
    }
}

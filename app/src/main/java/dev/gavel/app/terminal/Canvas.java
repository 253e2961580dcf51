package dev.gavel.app.terminal;

import java.util.List;

/** Something a page can be drawn on, line by line. */
public interface Canvas {
    /** How large it is now. */
    Size size();

    /** Shows these lines and nothing else; none is wider than it is, nor are there more than fit. */
    void draw(List<String> lines);

    /** Hands the terminal to another program meanwhile. */
    void lend(Interruptible borrower) throws InterruptedException;

    /** What may be interrupted. */
    @FunctionalInterface
    interface Interruptible {
        void run() throws InterruptedException;
    }
}

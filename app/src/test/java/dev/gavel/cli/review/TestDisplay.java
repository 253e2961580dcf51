package dev.gavel.cli.review;

import dev.gavel.cli.terminal.TerminalDisplay;
import dev.gavel.cli.terminal.TerminalSize;
import java.util.List;

/** A terminal display that a test reads. Thread-safe. */
final class TestDisplay implements TerminalDisplay {
    private volatile TerminalSize size;
    private volatile List<String> lines = List.of();

    TestDisplay(int width, int height) {
        this.size = new TerminalSize(width, height);
    }

    void resize(int width, int height) {
        size = new TerminalSize(width, height);
    }

    /** The displayed text. */
    String shown() {
        return String.join("\n", lines);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public TerminalSize size() {
        return size;
    }

    @Override
    public void draw(List<String> frame) {
        lines = List.copyOf(frame);
    }

    @Override
    public void suspendFor(InterruptibleAction borrower) throws InterruptedException {
        borrower.run();
    }
}

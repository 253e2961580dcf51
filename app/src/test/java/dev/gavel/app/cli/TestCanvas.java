package dev.gavel.app.cli;

import dev.gavel.app.terminal.Canvas;
import dev.gavel.app.terminal.Size;
import java.util.List;

/** A window nobody looks at but a test. Thread-safe. */
final class TestCanvas implements Canvas {
    private volatile Size size;
    private volatile List<String> lines = List.of();

    TestCanvas(int width, int height) {
        this.size = new Size(width, height);
    }

    void resize(int width, int height) {
        size = new Size(width, height);
    }

    /** What it shows, as a person reads it. */
    String shown() {
        return String.join("\n", lines);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public Size size() {
        return size;
    }

    @Override
    public void draw(List<String> frame) {
        lines = List.copyOf(frame);
    }

    @Override
    public void lend(Interruptible borrower) throws InterruptedException {
        borrower.run();
    }
}

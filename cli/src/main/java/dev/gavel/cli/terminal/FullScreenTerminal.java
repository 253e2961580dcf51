package dev.gavel.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Takes over the whole terminal window in raw mode and restores it when closed. Used by one thread; only {@link #close}
 * may be called by another.
 */
public final class FullScreenTerminal implements TerminalDisplay, AutoCloseable {
    /** Turns wrapping off: a line wider than calculated would wrap and push the first line out of the window. */
    private static final String NO_WRAPPING = "\u001b[?7l";

    private static final String WRAPPING = "\u001b[?7h";
    private static final String ENTER = "\u001b[?1049h" + NO_WRAPPING + "\u001b[H\u001b[2J";
    private static final String LEAVE = WRAPPING + "\u001b[?1049l\u001b[?25h";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_SCREEN = "\u001b[J";

    private final PrintWriter out;
    private final TermiosSettings savedSettings;
    private final TermiosSettings rawSettings;
    private boolean open;

    private FullScreenTerminal(PrintWriter out, TermiosSettings savedSettings) {
        this.out = out;
        this.savedSettings = savedSettings;
        this.rawSettings = savedSettings.toRawMode();
    }

    /** Takes over the window; empty if standard input is not a terminal. */
    public static Optional<FullScreenTerminal> open(PrintWriter out) {
        return TermiosSettings.current().map(savedSettings -> {
            FullScreenTerminal screen = new FullScreenTerminal(out, savedSettings);
            screen.enter();
            return screen;
        });
    }

    @Override
    public TerminalSize size() {
        return TerminalProbe.size().orElse(TerminalSize.DEFAULT);
    }

    @Override
    public synchronized void draw(List<String> lines) {
        if (!open) {
            return;
        }
        // In raw mode the terminal does not turn a line feed into a carriage return and line feed, so each line starts
        // with both.
        StringBuilder frame = new StringBuilder(HOME);
        for (int line = 0; line < lines.size(); line++) {
            frame.append(line == 0 ? "" : "\r\n").append(lines.get(line)).append(CLEAR_LINE);
        }
        out.print(frame.append(CLEAR_SCREEN));
        out.flush();
    }

    @Override
    public void suspendFor(InterruptibleAction action) throws InterruptedException {
        close();
        try {
            action.run();
        } finally {
            enter();
        }
    }

    private synchronized void enter() {
        open = true;
        rawSettings.apply();
        out.print(ENTER);
        out.flush();
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            out.print(LEAVE);
            out.flush();
            savedSettings.apply();
        }
    }
}

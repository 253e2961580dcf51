package dev.gavel.cli.terminal;

/** The width and height of a terminal window in characters. */
public record TerminalSize(int width, int height) {
    /** What is assumed of a window that does not say. */
    public static final TerminalSize DEFAULT = new TerminalSize(80, 24);
}

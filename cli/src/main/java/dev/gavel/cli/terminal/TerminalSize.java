package dev.gavel.cli.terminal;

/** How many characters a window shows, across and down. */
public record TerminalSize(int width, int height) {
    /** What is assumed of a window that does not say. */
    public static final TerminalSize DEFAULT = new TerminalSize(80, 24);
}

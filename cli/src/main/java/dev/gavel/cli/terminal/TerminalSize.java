package dev.gavel.cli.terminal;

/** The width and height of a terminal window in characters. */
public record TerminalSize(int width, int height) {
    /** The size assumed for a window whose size is unknown. */
    public static final TerminalSize DEFAULT = new TerminalSize(80, 24);
}

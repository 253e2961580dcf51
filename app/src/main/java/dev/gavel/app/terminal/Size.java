package dev.gavel.app.terminal;

/** How many characters a window shows, across and down. */
public record Size(int width, int height) {
    /** What is assumed of a window that does not say. */
    public static final Size USUAL = new Size(80, 24);
}

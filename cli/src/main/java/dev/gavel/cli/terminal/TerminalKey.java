package dev.gavel.cli.terminal;

/** A key press: a typed character or a named key. */
public sealed interface TerminalKey {
    /** A typed character, as a Unicode code point. */
    record Typed(int character) implements TerminalKey {}

    /** A key that does not produce a character. */
    enum Named implements TerminalKey {
        ENTER,
        ESCAPE,
        BACKSPACE,
        /** Ctrl-W. */
        ERASE_WORD,
        /** Ctrl-U. */
        ERASE_LINE,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        /** Ctrl-C or Ctrl-D. */
        INTERRUPT,
        /** Ctrl-L. */
        REDRAW,
        /** A key without a function here. */
        OTHER
    }
}

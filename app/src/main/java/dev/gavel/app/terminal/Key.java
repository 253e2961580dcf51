package dev.gavel.app.terminal;

/** A key as it was pressed. */
public sealed interface Key {
    /** A character. */
    record Typed(int character) implements Key {}

    /** A key that stands for no character. */
    enum Named implements Key {
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
        /** One that nothing here is done with. */
        OTHER
    }
}

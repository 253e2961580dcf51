package dev.gavel.sep.document;

/**
 * A line of a document: its position, indentation and kind, such as text, code or front matter.
 *
 * @param number the line number, counted from one
 * @param start the offset of its first character, counted from zero
 * @param end the offset after its last character; the line terminator is not part of the line
 * @param indent the indentation in columns; a tab extends to the next multiple of four
 */
record DocumentLine(int number, int start, int end, int indent, Kind kind) {
    /** The kind of block that a line is part of. */
    enum Kind {
        TEXT,
        BLANK,
        /** A block of code, including its fences. */
        CODE,
        /** Not shown to readers: a comment or a script. */
        HIDDEN,
        FRONT_MATTER
    }

    boolean isText() {
        return kind == Kind.TEXT;
    }

    /** Whether the line has content that readers see. */
    boolean isVisible() {
        return kind == Kind.TEXT || kind == Kind.CODE;
    }
}

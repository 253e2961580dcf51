package dev.gavel.sep.document;

/**
 * A line of a document: its position, indentation and kind, such as text, code or front matter.
 *
 * @param number counted from one
 * @param start its first character, counted from zero
 * @param end the first character after it, the line's end not among them
 * @param indent how many columns it is set in; a tab reaches to the next multiple of four
 */
record DocumentLine(int number, int start, int end, int indent, Kind kind) {
    /** What a line is part of. */
    enum Kind {
        TEXT,
        BLANK,
        /** A block of code, its fences too. */
        CODE,
        /** What no reader sees: a comment, a script. */
        HIDDEN,
        /** Front matter. */
        FRONT_MATTER
    }

    boolean isText() {
        return kind == Kind.TEXT;
    }

    /** Whether a reader sees something there. */
    boolean isVisible() {
        return kind == Kind.TEXT || kind == Kind.CODE;
    }
}

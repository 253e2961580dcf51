package dev.gavel.cli.terminal;

/** The text that a user is typing at a prompt; each key press returns a changed copy. Immutable. */
public record LineEditState(String text) {
    private static final int MAX_LENGTH = 2_000;

    /** An empty line. */
    public static final LineEditState EMPTY = new LineEditState("");

    /** Returns the line after a key press; keys that do not edit a line change nothing. */
    public LineEditState withKey(TerminalKey key) {
        return switch (key) {
            case TerminalKey.Typed(int character)
            when text.length() < MAX_LENGTH -> new LineEditState(text + Character.toString(character));
            case TerminalKey.Named.BACKSPACE ->
                new LineEditState(text.isEmpty() ? "" : text.substring(0, text.offsetByCodePoints(text.length(), -1)));
            case TerminalKey.Named.ERASE_WORD ->
                new LineEditState(text.stripTrailing().replaceFirst("\\S+$", ""));
            case TerminalKey.Named.ERASE_LINE -> EMPTY;
            default -> this;
        };
    }
}

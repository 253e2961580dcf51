package dev.gavel.app.terminal;

/** A line while it is typed. Immutable. */
public record LineInput(String text) {
    private static final int LONGEST = 2_000;

    /** An empty one. */
    public static final LineInput EMPTY = new LineInput("");

    /** What it is after a key; keys that do not edit a line change nothing. */
    public LineInput after(Key key) {
        return switch (key) {
            case Key.Typed(int character)
            when text.length() < LONGEST -> new LineInput(text + Character.toString(character));
            case Key.Named.BACKSPACE ->
                new LineInput(text.isEmpty() ? "" : text.substring(0, text.offsetByCodePoints(text.length(), -1)));
            case Key.Named.ERASE_WORD -> new LineInput(text.stripTrailing().replaceFirst("\\S+$", ""));
            case Key.Named.ERASE_LINE -> EMPTY;
            default -> this;
        };
    }
}

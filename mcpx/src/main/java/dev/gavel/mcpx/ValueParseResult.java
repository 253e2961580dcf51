package dev.gavel.mcpx;

/**
 * The result of parsing one value from text, such as a name or a pattern: the value, or a message that explains the
 * problem. Immutable.
 *
 * @param <T> the type of the parsed value
 */
public sealed interface ValueParseResult<T> {
    /** The text is valid. */
    record Valid<T>(T value) implements ValueParseResult<T> {}

    /** The text is invalid; {@code problem} explains why to the author of the text. */
    record Invalid<T>(String problem) implements ValueParseResult<T> {}

    /** Returns the value or throws; for constants of the program, in which a mistake is a bug. */
    default T orThrow() {
        return switch (this) {
            case Valid<T>(T value) -> value;
            case Invalid<T>(String problem) -> throw new IllegalArgumentException(problem);
        };
    }
}

package dev.gavel.mcpx;

/**
 * The result of parsing a text, such as a name or a pattern: the valid value, or a message that explains the problem.
 * Immutable.
 *
 * @param <T> what the text stands for
 */
public sealed interface TextParseResult<T> {
    /** The text was right. */
    record Valid<T>(T value) implements TextParseResult<T> {}

    /** The text was wrong; {@code problem} is a sentence for the person who wrote it. */
    record Invalid<T>(String problem) implements TextParseResult<T> {}

    /** The value; for texts that are constants of the program, where a mistake is ours. */
    default T orThrow() {
        return switch (this) {
            case Valid<T>(T value) -> value;
            case Invalid<T>(String problem) -> throw new IllegalArgumentException(problem);
        };
    }
}

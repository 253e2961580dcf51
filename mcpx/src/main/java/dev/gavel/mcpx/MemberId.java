package dev.gavel.mcpx;

import java.util.regex.Pattern;

/**
 * The validated id of a topic member: 1 to 64 letters, digits and a few marks, without a colon. The colon is excluded
 * so that an id cannot be mistaken for {@code system:gateway} or {@code can:KIND}. Immutable.
 */
public record MemberId(String value) {
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

    public MemberId {
        if (!RULE.matcher(value).matches()) {
            throw new IllegalArgumentException(problem(value));
        }
    }

    /** Parses a member id. */
    public static ValueParseResult<MemberId> parse(String text) {
        return RULE.matcher(text).matches()
                ? new ValueParseResult.Valid<>(new MemberId(text))
                : new ValueParseResult.Invalid<>(problem(text));
    }

    private static String problem(String text) {
        return "member " + InputExcerptFormatter.quote(text)
                + " must be 1 to 64 letters, digits, '.', '_', '@' and '-', and begin with a letter or digit";
    }

    @Override
    public String toString() {
        return value;
    }
}

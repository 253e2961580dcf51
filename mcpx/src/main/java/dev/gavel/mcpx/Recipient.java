package dev.gavel.mcpx;

/**
 * One recipient of an envelope: a member by id, or every connected participant that may send a given kind of envelope.
 * Immutable.
 */
public sealed interface Recipient {
    /** A member, by id. */
    record Member(String id) implements Recipient {}

    /** {@code can:KIND}: every connected participant that may send this kind. */
    record WithCapability(Kind kind) implements Recipient {}

    /** Parses an entry of {@code to}. */
    static ValueParseResult<Recipient> parse(String entry) {
        if (!entry.startsWith("can:")) {
            return new ValueParseResult.Valid<>(new Member(entry));
        }
        return switch (Kind.parse(entry.substring(4))) {
            case ValueParseResult.Valid<Kind>(Kind kind) -> new ValueParseResult.Valid<>(new WithCapability(kind));
            case ValueParseResult.Invalid<Kind>(String problem) ->
                new ValueParseResult.Invalid<>("after 'can:', " + problem);
        };
    }
}

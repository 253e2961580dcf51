package dev.gavel.mcpx;

/** An entry of an envelope's recipients: a member id, or every participant that can send a kind. Immutable. */
public sealed interface Recipient {
    /** A member, by id. */
    record Member(String id) implements Recipient {}

    /** {@code can:KIND}: every connected participant that may send this kind. */
    record WithCapability(Kind kind) implements Recipient {}

    /** Parses an entry of {@code to}. */
    static ParseResult<Recipient> parse(String entry) {
        if (!entry.startsWith("can:")) {
            return new ParseResult.Valid<>(new Member(entry));
        }
        return switch (Kind.parse(entry.substring(4))) {
            case ParseResult.Valid<Kind>(Kind kind) -> new ParseResult.Valid<>(new WithCapability(kind));
            case ParseResult.Invalid<Kind>(String problem) -> new ParseResult.Invalid<>("after 'can:', " + problem);
        };
    }
}

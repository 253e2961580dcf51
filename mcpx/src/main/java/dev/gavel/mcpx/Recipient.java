package dev.gavel.mcpx;

/** An entry of an envelope's recipients: a member id, or every participant that can send a kind. Immutable. */
public sealed interface Recipient {
    /** A member, by id. */
    record Member(String id) implements Recipient {}

    /** {@code can:KIND}: every connected participant that may send this kind. */
    record WithCapability(Kind kind) implements Recipient {}

    /** Parses an entry of {@code to}. */
    static TextParseResult<Recipient> parse(String entry) {
        if (!entry.startsWith("can:")) {
            return new TextParseResult.Valid<>(new Member(entry));
        }
        return switch (Kind.parse(entry.substring(4))) {
            case TextParseResult.Valid<Kind>(Kind kind) -> new TextParseResult.Valid<>(new WithCapability(kind));
            case TextParseResult.Invalid<Kind>(String problem) ->
                new TextParseResult.Invalid<>("after 'can:', " + problem);
        };
    }
}

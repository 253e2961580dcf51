package dev.gavel.mcpx;

/** An entry of an envelope's {@code to}. Immutable. */
public sealed interface Recipient {
    /** A member by its id. */
    record Member(String id) implements Recipient {}

    /** {@code can:KIND}: every participant that may send this kind now. */
    record Can(Kind kind) implements Recipient {}

    /** What an entry says. */
    static Parsed<Recipient> parse(String entry) {
        if (!entry.startsWith("can:")) {
            return new Parsed.Valid<>(new Member(entry));
        }
        return switch (Kind.parse(entry.substring(4))) {
            case Parsed.Valid<Kind>(Kind kind) -> new Parsed.Valid<>(new Can(kind));
            case Parsed.Invalid<Kind>(String problem) -> new Parsed.Invalid<>("after 'can:', " + problem);
        };
    }
}

package dev.gavel.ledger.postgres;

/** What comes of opening a database as a ledger. */
public sealed interface PostgresOpenResult<T> {
    /** It is open, and must be closed. */
    record Opened<T>(T ledger) implements PostgresOpenResult<T> {}

    /** It is not; the reason says what to do. */
    record Refused<T>(String reason) implements PostgresOpenResult<T> {}
}

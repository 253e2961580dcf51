package dev.gavel.ledger.postgres;

/** The result of opening a PostgreSQL database as a ledger: opened, or refused with a reason. */
public sealed interface PostgresOpenResult<T> {
    /** It is open, and must be closed. */
    record Opened<T>(T ledger) implements PostgresOpenResult<T> {}

    /** It is not; the reason says what to do. */
    record Refused<T>(String reason) implements PostgresOpenResult<T> {}
}

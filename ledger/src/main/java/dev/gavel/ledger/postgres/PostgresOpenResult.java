package dev.gavel.ledger.postgres;

/** The result of opening a PostgreSQL database as a ledger: opened, or refused with a reason. */
public sealed interface PostgresOpenResult<T> {
    /** The ledger is open; the caller must close it. */
    record Opened<T>(T ledger) implements PostgresOpenResult<T> {}

    /** The ledger was not opened; the reason says what to do. */
    record Refused<T>(String reason) implements PostgresOpenResult<T> {}
}

package dev.gavel.ledger.sqlite;

/** The result of opening a SQLite file as a ledger for writing: opened, or refused with a reason. */
public sealed interface SqliteOpenResult {
    /** The ledger is open; the caller must close it. */
    record Opened(SqliteLedger ledger) implements SqliteOpenResult {}

    /** The file was not opened and not changed; the reason says what to do. */
    record Refused(String reason) implements SqliteOpenResult {}
}

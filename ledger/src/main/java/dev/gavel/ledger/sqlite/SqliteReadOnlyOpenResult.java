package dev.gavel.ledger.sqlite;

/** The result of opening a SQLite ledger file read-only: opened, or refused with a reason. */
public sealed interface SqliteReadOnlyOpenResult {
    /** The ledger is open; the caller must close it. */
    record Opened(SqliteReadOnlyLedger ledger) implements SqliteReadOnlyOpenResult {}

    /** The file was not opened; the reason says what to do. */
    record Refused(String reason) implements SqliteReadOnlyOpenResult {}
}

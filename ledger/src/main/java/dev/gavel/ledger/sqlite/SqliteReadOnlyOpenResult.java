package dev.gavel.ledger.sqlite;

/** The result of opening a SQLite ledger file read-only: opened, or refused with a reason. */
public sealed interface SqliteReadOnlyOpenResult {
    /** It is open, and must be closed. */
    record Opened(SqliteReadOnlyLedger ledger) implements SqliteReadOnlyOpenResult {}

    /** It is not; the reason says what to do. */
    record Refused(String reason) implements SqliteReadOnlyOpenResult {}
}

package dev.gavel.ledger.sqlite;

/** What comes of opening a file for reading alone. */
public sealed interface SqliteReadOnlyOpenResult {
    /** It is open, and must be closed. */
    record Opened(SqliteReadOnlyLedger ledger) implements SqliteReadOnlyOpenResult {}

    /** It is not; the reason says what to do. */
    record Refused(String reason) implements SqliteReadOnlyOpenResult {}
}

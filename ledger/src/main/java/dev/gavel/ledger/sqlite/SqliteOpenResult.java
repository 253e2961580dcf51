package dev.gavel.ledger.sqlite;

/** What comes of opening a file as a ledger. */
public sealed interface SqliteOpenResult {
    /** It is open, and must be closed. */
    record Opened(SqliteLedger ledger) implements SqliteOpenResult {}

    /** It is not, and was not changed; the reason says what to do. */
    record Refused(String reason) implements SqliteOpenResult {}
}

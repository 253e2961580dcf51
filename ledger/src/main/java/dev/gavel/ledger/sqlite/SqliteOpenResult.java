package dev.gavel.ledger.sqlite;

/** The result of opening a SQLite file as a ledger for writing: opened, or refused with a reason. */
public sealed interface SqliteOpenResult {
    /** It is open, and must be closed. */
    record Opened(SqliteLedger ledger) implements SqliteOpenResult {}

    /** It is not, and was not changed; the reason says what to do. */
    record Refused(String reason) implements SqliteOpenResult {}
}

package dev.gavel.ledger.sqlite;

/** What comes of opening a file for reading alone. */
public sealed interface Viewing {
    /** It is open, and must be closed. */
    record Opened(SqliteView view) implements Viewing {}

    /** It is not; the reason says what to do. */
    record Refused(String reason) implements Viewing {}
}

package dev.gavel.ledger.sqlite;

import java.nio.file.Path;

/**
 * A SQLite ledger file opened for reading only, beside the process that writes it, without locking or changing it. If
 * no other process has the file open, SQLite leaves an empty log beside it. Thread-safe.
 */
public final class SqliteReadOnlyLedger extends AbstractSqliteLedger {
    SqliteReadOnlyLedger(Path file, SqliteOptions options) {
        super(file, options);
    }

    /** Opens an existing file. */
    public static SqliteReadOnlyOpenResult open(Path file, SqliteOptions options) {
        return SqliteLedgerOpener.openReadOnly(file.toAbsolutePath(), options, SqliteMigrations.ALL);
    }
}

package dev.gavel.ledger.sqlite;

import java.nio.file.Path;

/**
 * A ledger's file opened for reading alone, beside whichever process writes it: it takes no lock that would keep that
 * one waiting, and changes nothing that is kept. (Where nobody has the file open, SQLite leaves an empty log beside it.)
 * Thread-safe.
 */
public final class SqliteReadOnlyLedger extends AbstractSqliteLedger {
    SqliteReadOnlyLedger(Path file, SqliteOptions options) {
        super(file, options);
    }

    /** Opens a file that is there already. */
    public static SqliteReadOnlyOpenResult open(Path file, SqliteOptions options) {
        return SqliteLedgerOpener.openReadOnly(file.toAbsolutePath(), options, SqliteMigrations.ALL);
    }
}

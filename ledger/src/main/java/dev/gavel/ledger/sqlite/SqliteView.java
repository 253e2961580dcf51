package dev.gavel.ledger.sqlite;

import java.nio.file.Path;

/**
 * A ledger's file opened for reading alone, beside whichever process writes it: it takes no lock that would keep that
 * one waiting, and changes nothing that is kept. (Where nobody has the file open, SQLite leaves an empty log beside it.)
 * Thread-safe.
 */
public final class SqliteView extends SqliteReading {
    SqliteView(Path file, SqliteOptions options) {
        super(file, options);
    }

    /** Opens a file that is there already. */
    public static Viewing open(Path file, SqliteOptions options) {
        return SqliteOpening.view(file.toAbsolutePath(), options, Migrations.ALL);
    }
}

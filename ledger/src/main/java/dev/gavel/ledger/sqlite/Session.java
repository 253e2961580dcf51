package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.sql.Dialect;
import dev.gavel.ledger.sql.SqlSession;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** One connection to the file. Transactions are begun and ended in plain SQL. Not thread-safe. */
final class Session extends SqlSession {
    /** A log that once grew longer is cut back to this when it is started anew. */
    private static final int LOG_BYTES = 64 << 20;

    static final Dialect DIALECT = new Dialect() {
        @Override
        public String join() {
            return "CROSS JOIN";
        }

        @Override
        public String greater() {
            return "max";
        }

        @Override
        public String streams() {
            return "SELECT name FROM stream ORDER BY name";
        }
    };

    private Session(Connection connection) {
        super(connection, DIALECT);
    }

    static Session forWriting(Path file, SqliteOptions options) throws SQLException {
        SQLiteConfig config = configured(options);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setCacheSize(-options.writerCacheKib());
        config.setJournalSizeLimit(LOG_BYTES);
        return open(file, config, "PRAGMA wal_autocheckpoint = 0");
    }

    static Session forReading(Path file, SqliteOptions options) throws SQLException {
        SQLiteConfig config = configured(options);
        config.setReadOnly(true);
        return open(file, config, "PRAGMA query_only = 1");
    }

    private static SQLiteConfig configured(SqliteOptions options) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(Math.toIntExact(options.busyTimeout().toMillis()));
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        // Else the driver asks for the last row's number, in a statement prepared anew, after every insert.
        config.setGetGeneratedKeys(false);
        return config;
    }

    private static Session open(Path file, SQLiteConfig config, String pragma) throws SQLException {
        Session session = new Session(config.createConnection("jdbc:sqlite:" + file));
        try {
            session.execute(pragma);
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    /** This driver runs many statements at once only where it is asked to update. */
    @Override
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Undoes what was begun. SQLite itself has done so already after some failures, which it then calls an error. */
    void rollback() throws SQLException {
        unprepare();
        try {
            execute("ROLLBACK");
        } catch (SQLiteException e) {
            if (e.getResultCode() != SQLiteErrorCode.SQLITE_ERROR) {
                throw e;
            }
        }
    }
}

package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.sql.SqlDialect;
import dev.gavel.ledger.sql.SqlSession;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * One connection to the SQLite ledger file, opened for writing or for reading, that runs SQL statements and
 * transactions. Transactions begin and end by plain SQL statements. Not thread-safe.
 */
final class SqliteSession extends SqlSession {
    /** The size to which SQLite truncates a longer write-ahead log when it restarts the log. */
    private static final int LOG_BYTES = 64 << 20;

    static final SqlDialect DIALECT = new SqlDialect() {
        @Override
        public String joinKeyword() {
            return "CROSS JOIN";
        }

        @Override
        public String greatestFunction() {
            return "max";
        }

        @Override
        public String streamsQuery() {
            return "SELECT name FROM stream ORDER BY name";
        }
    };

    private SqliteSession(Connection connection) {
        super(connection, DIALECT);
    }

    static SqliteSession forWriting(Path file, SqliteOptions options) throws SQLException {
        SQLiteConfig config = createConfig(options);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setCacheSize(-options.writerCacheKib());
        config.setJournalSizeLimit(LOG_BYTES);
        return open(file, config, "PRAGMA wal_autocheckpoint = 0");
    }

    static SqliteSession forReading(Path file, SqliteOptions options) throws SQLException {
        SQLiteConfig config = createConfig(options);
        config.setReadOnly(true);
        return open(file, config, "PRAGMA query_only = 1");
    }

    private static SQLiteConfig createConfig(SqliteOptions options) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(Math.toIntExact(options.busyTimeout().toMillis()));
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        // Otherwise the driver queries the last row id after every insert, with a newly prepared statement.
        config.setGetGeneratedKeys(false);
        return config;
    }

    private static SqliteSession open(Path file, SQLiteConfig config, String pragma) throws SQLException {
        SqliteSession session = new SqliteSession(config.createConnection("jdbc:sqlite:" + file));
        try {
            session.execute(pragma);
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    /** Runs one or several statements. This driver runs several at once only through {@code executeUpdate}. */
    @Override
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /**
     * Rolls back the transaction. After some failures SQLite has already done so and then reports an error, which is
     * ignored.
     */
    void rollback() throws SQLException {
        closeStatements();
        try {
            execute("ROLLBACK");
        } catch (SQLiteException e) {
            if (e.getResultCode() != SQLiteErrorCode.SQLITE_ERROR) {
                throw e;
            }
        }
    }
}

package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.LedgerFailure;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * One connection to the file and the statements prepared on it, which stay prepared: preparing costs more than most of
 * them. Transactions are begun and ended in plain SQL. Not thread-safe.
 */
final class Session implements AutoCloseable {
    /** Makes something of the row a result set stands on. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private Session(Connection connection) {
        this.connection = connection;
    }

    static Session forWriting(Path file, SqliteOptions options) throws SQLException {
        SQLiteConfig config = configured(options);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setCacheSize(-options.writerCacheKib());
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

    /** Runs SQL without parameters: one statement or many. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    void update(String sql, @Nullable Object... parameters) throws SQLException {
        bound(sql, parameters).executeUpdate();
    }

    <T> List<T> list(String sql, Row<T> mapping, @Nullable Object... parameters) throws SQLException {
        return listWhile(row -> true, sql, mapping, parameters);
    }

    /** The rows of a query up to and with the first after which no more are wanted. */
    <T> List<T> listWhile(Predicate<T> more, String sql, Row<T> mapping, @Nullable Object... parameters)
            throws SQLException {
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(mapping.read(rows));
                if (!more.test(all.getLast())) {
                    break;
                }
            }
            return all;
        }
    }

    <T> Optional<T> first(String sql, Row<T> mapping, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            return rows.next() ? Optional.of(mapping.read(rows)) : Optional.empty();
        }
    }

    /** The one number a query gives; 0 where it gives none. */
    long number(String sql, @Nullable Object... parameters) throws SQLException {
        return first(sql, row -> row.getLong(1), parameters).orElse(0L);
    }

    /**
     * Undoes what was begun. SQLite itself has done so already after some failures, which it then calls an error. The
     * statements are prepared anew after it: the driver may not use one that failed again.
     */
    void rollback() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
        try {
            execute("ROLLBACK");
        } catch (SQLiteException e) {
            if (e.getResultCode() != SQLiteErrorCode.SQLITE_ERROR) {
                throw e;
            }
        }
    }

    private PreparedStatement bound(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            switch (parameters[i]) {
                case null -> statement.setObject(i + 1, null);
                case Long number -> statement.setLong(i + 1, number);
                case Integer number -> statement.setInt(i + 1, number);
                case String text -> statement.setString(i + 1, text);
                case byte[] bytes -> statement.setBytes(i + 1, bytes);
                case Object other -> throw new IllegalArgumentException("no SQL value: " + other.getClass());
            }
        }
        return statement;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new LedgerFailure("a connection to the ledger could not be closed: " + e.getMessage(), e);
        }
    }
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.sql.LedgerQuerySql;
import dev.gavel.ledger.sql.SqlDialect;
import dev.gavel.ledger.sql.SqlSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL connection in use, with transactions, batches, row streaming and discarding of broken connections. Not
 * thread-safe.
 */
final class PostgresSession extends SqlSession {
    /** Rows per fetch within a transaction; small, because bodies may be large. */
    private static final int FETCH_SIZE = 64;

    private static final SqlDialect DIALECT = new PostgresDialect();

    static final LedgerQuerySql QUERIES = new LedgerQuerySql(DIALECT);

    private final Consumer<Connection> discard;

    /** Creates a session that owns its connection. */
    PostgresSession(Connection connection) {
        this(connection, broken -> {});
    }

    /** Creates a session on a pooled connection, which returns to the pool on close unless it is discarded. */
    PostgresSession(Connection connection, Consumer<Connection> discard) {
        super(connection, DIALECT);
        this.discard = discard;
    }

    /** Begins a transaction, which {@link #commit} or {@link #rollback} ends. */
    void begin() throws SQLException {
        connection().setAutoCommit(false);
    }

    /** Begins a read-only transaction that sees one state of the database. */
    void beginSnapshot() throws SQLException {
        connection().setAutoCommit(false);
        execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    }

    void commit() throws SQLException {
        connection().commit();
    }

    void rollback() throws SQLException {
        connection().rollback();
    }

    /** Passes each row of a query to {@code sink}. Within a transaction the driver fetches a few rows at a time. */
    void forEachRow(String sql, RowConsumer sink, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            while (rows.next()) {
                sink.accept(rows);
            }
        }
    }

    /** Receives a result set positioned on a row. */
    @FunctionalInterface
    interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    /** Runs one statement with many sets of parameters in one batch. */
    void executeBatch(String sql, List<@Nullable Object[]> parameterSets) throws SQLException {
        if (parameterSets.isEmpty()) {
            return;
        }
        PreparedStatement statement = prepare(sql);
        for (@Nullable Object[] parameters : parameterSets) {
            prepare(sql, parameters);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    @Override
    protected PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = super.prepare(sql, parameters);
        statement.setFetchSize(FETCH_SIZE);
        return statement;
    }

    /** Removes the connection from its pool, because it is broken. */
    void discard() {
        discard.accept(connection());
    }

    /** Closes the session. A connection that fails to close is broken, so it is discarded. */
    @Override
    public void close() {
        try {
            connection().close();
        } catch (SQLException e) {
            discard();
        }
    }
}

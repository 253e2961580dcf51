package dev.gavel.ledger.postgres;

import dev.gavel.ledger.sql.LedgerQueries;
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
    /** Rows fetched at once within a transaction: bodies may be large. */
    private static final int FETCH_SIZE = 64;

    private static final SqlDialect DIALECT = new PostgresDialect();

    static final LedgerQueries QUERIES = new LedgerQueries(DIALECT);

    private final Consumer<Connection> discard;

    /** A session that ends with its connection. */
    PostgresSession(Connection connection) {
        this(connection, spoiled -> {});
    }

    /** A session whose connection goes back to where it came from, unless it is discarded. */
    PostgresSession(Connection connection, Consumer<Connection> discard) {
        super(connection, DIALECT);
        this.discard = discard;
    }

    /** Begins a transaction, which ends by {@link #commit} or {@link #rollback}. */
    void begin() throws SQLException {
        connection().setAutoCommit(false);
    }

    /** Begins a transaction that only reads, and sees everything as it is at one moment. */
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

    /** Shows the rows of a query, a few at a time within a transaction. */
    void forEachRow(String sql, RowConsumer sink, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            while (rows.next()) {
                sink.accept(rows);
            }
        }
    }

    /** Takes the row a result set stands on. */
    @FunctionalInterface
    interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    /** Runs one statement with many sets of parameters, in one go. */
    void executeBatch(String sql, List<@Nullable Object[]> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        PreparedStatement statement = prepare(sql);
        for (@Nullable Object[] parameters : all) {
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

    /** The connection is of no more use to anybody. */
    void discard() {
        discard.accept(connection());
    }

    /** A connection that cannot even be closed is gone, which is what was wanted. */
    @Override
    public void close() {
        try {
            connection().close();
        } catch (SQLException e) {
            discard();
        }
    }
}

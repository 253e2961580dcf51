package dev.gavel.ledger.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.sql.SqlLedgerReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Lends pooled PostgreSQL sessions, limits concurrent reads and retries a read when its connection broke. Thread-safe.
 */
final class PostgresConnectionPool implements AutoCloseable {
    private final HikariDataSource connections;
    private final Semaphore permits;

    PostgresConnectionPool(PostgresConnector postgresConnector, PostgresOptions options) {
        this.connections = postgresConnector.createPool();
        this.permits = new Semaphore(options.readers(), true);
    }

    /** Borrows a session, which the caller must close soon. */
    PostgresSession borrow() throws SQLException {
        if (connections.isClosed()) {
            throw new LedgerException("the ledger is closed");
        }
        return new PostgresSession(connections.getConnection(), this::discard);
    }

    /** Discards a broken connection. Idle connections are probably broken too, so the pool replaces them. */
    private void discard(Connection broken) {
        connections.evictConnection(broken);
        connections.getHikariPoolMXBean().softEvictConnections();
    }

    /** An operation on one session. */
    @FunctionalInterface
    interface Work<T> {
        T run(PostgresSession session) throws SQLException;
    }

    /** Runs one read. */
    <T> T read(Function<SqlLedgerReader, T> operation) {
        return readWithSession(session -> operation.apply(new SqlLedgerReader(session, PostgresSession.QUERIES)));
    }

    /** Runs a read that may be large, in a transaction, so that the driver fetches a few rows at a time. */
    <T> T readInChunks(Function<SqlLedgerReader, T> operation) {
        return readWithSession(session -> {
            session.begin();
            T result = operation.apply(new SqlLedgerReader(session, PostgresSession.QUERIES));
            session.commit();
            return result;
        });
    }

    /** Runs several reads that see one state of the database. */
    <T> T readSnapshot(Function<SqlLedgerReader, T> operation) {
        return readWithSession(session -> {
            session.beginSnapshot();
            T result = operation.apply(new SqlLedgerReader(session, PostgresSession.QUERIES));
            session.commit();
            return result;
        });
    }

    /**
     * Runs a read. A pooled connection may have broken since its last use, and reading is idempotent, so a transient
     * failure is retried once on another connection.
     */
    <T> T readWithSession(Work<T> operation) {
        permits.acquireUninterruptibly();
        try {
            try {
                return attempt(operation);
            } catch (LedgerException e) {
                if (e.getCause() instanceof SQLException failure && PostgresErrorClassifier.isTransient(failure)) {
                    return attempt(operation);
                }
                throw e;
            }
        } finally {
            permits.release();
        }
    }

    private <T> T attempt(Work<T> operation) {
        try (PostgresSession session = borrow()) {
            try {
                return operation.run(session);
            } catch (SQLException e) {
                discardIfBroken(session, e);
                throw readFailure(e);
            } catch (LedgerException e) {
                if (e.getCause() instanceof SQLException failure) {
                    discardIfBroken(session, failure);
                }
                throw e;
            }
        } catch (SQLException e) {
            throw readFailure(e);
        }
    }

    private static void discardIfBroken(PostgresSession session, SQLException failure) {
        if (PostgresErrorClassifier.breaksConnection(failure)) {
            session.discard();
        }
    }

    static LedgerException readFailure(SQLException failure) {
        return new LedgerException("the ledger could not be read: " + failure.getMessage(), failure);
    }

    @Override
    public void close() {
        connections.close();
    }
}

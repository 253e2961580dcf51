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

    /** A session to be closed soon. */
    PostgresSession borrow() throws SQLException {
        if (connections.isClosed()) {
            throw new LedgerException("the ledger is closed");
        }
        return new PostgresSession(connections.getConnection(), this::discard);
    }

    /** Where one connection is gone, those that lie idle are likely to be, too: they are made anew. */
    private void discard(Connection spoiled) {
        connections.evictConnection(spoiled);
        connections.getHikariPoolMXBean().softEvictConnections();
    }

    /** Does something by one connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(PostgresSession session) throws SQLException;
    }

    /** Reads one thing. */
    <T> T read(Function<SqlLedgerReader, T> reading) {
        return readWithSession(session -> reading.apply(new SqlLedgerReader(session, PostgresSession.QUERIES)));
    }

    /** Reads what may be large, a few rows at a time: that takes a transaction. */
    <T> T readInChunks(Function<SqlLedgerReader, T> reading) {
        return readWithSession(session -> {
            session.begin();
            T read = reading.apply(new SqlLedgerReader(session, PostgresSession.QUERIES));
            session.commit();
            return read;
        });
    }

    /** Reads several things as they are at one moment. */
    <T> T readSnapshot(Function<SqlLedgerReader, T> reading) {
        return readWithSession(session -> {
            session.beginSnapshot();
            T read = reading.apply(new SqlLedgerReader(session, PostgresSession.QUERIES));
            session.commit();
            return read;
        });
    }

    /** A connection may have died since it was last used: reading does no harm, so it is tried once more on another. */
    <T> T readWithSession(Work<T> reading) {
        permits.acquireUninterruptibly();
        try {
            try {
                return attempt(reading);
            } catch (LedgerException e) {
                if (e.getCause() instanceof SQLException failure && PostgresErrors.isTransient(failure)) {
                    return attempt(reading);
                }
                throw e;
            }
        } finally {
            permits.release();
        }
    }

    private <T> T attempt(Work<T> reading) {
        try (PostgresSession session = borrow()) {
            try {
                return reading.run(session);
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
        if (PostgresErrors.breaksConnection(failure)) {
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

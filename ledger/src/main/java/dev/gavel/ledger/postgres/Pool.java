package dev.gavel.ledger.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.sql.SqlReader;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** The connections of a process; only so many read at once, and who finds none free waits. Thread-safe. */
final class Pool implements AutoCloseable {
    private final HikariDataSource connections;
    private final Semaphore permits;

    Pool(Connecting connecting, PostgresOptions options) {
        this.connections = connecting.pool();
        this.permits = new Semaphore(options.readers(), true);
    }

    /** A session to be closed soon. */
    PostgresSession take() throws SQLException {
        if (connections.isClosed()) {
            throw new LedgerFailure("the ledger is closed");
        }
        return new PostgresSession(connections.getConnection(), connections::evictConnection);
    }

    /** Does something by one connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(PostgresSession session) throws SQLException;
    }

    /** Reads one thing. */
    <T> T read(Function<SqlReader, T> reading) {
        return readBy(session -> reading.apply(new SqlReader(session, PostgresSession.QUESTIONS)));
    }

    /** Reads what may be large, a few rows at a time: that takes a transaction. */
    <T> T readLittleByLittle(Function<SqlReader, T> reading) {
        return readBy(session -> {
            session.begin();
            T read = reading.apply(new SqlReader(session, PostgresSession.QUESTIONS));
            session.commit();
            return read;
        });
    }

    /** Reads several things as they are at one moment. */
    <T> T readAtOnce(Function<SqlReader, T> reading) {
        return readBy(session -> {
            session.beginSnapshot();
            T read = reading.apply(new SqlReader(session, PostgresSession.QUESTIONS));
            session.commit();
            return read;
        });
    }

    /** A connection may have died since it was last used: reading does no harm, so it is tried once more on another. */
    <T> T readBy(Work<T> reading) {
        permits.acquireUninterruptibly();
        try {
            try {
                return attempt(reading);
            } catch (LedgerFailure e) {
                if (e.getCause() instanceof SQLException failure && Failures.passes(failure)) {
                    return attempt(reading);
                }
                throw e;
            }
        } finally {
            permits.release();
        }
    }

    private <T> T attempt(Work<T> reading) {
        try (PostgresSession session = take()) {
            try {
                return reading.run(session);
            } catch (SQLException e) {
                discardIfSpoiled(session, e);
                throw unread(e);
            } catch (LedgerFailure e) {
                if (e.getCause() instanceof SQLException failure) {
                    discardIfSpoiled(session, failure);
                }
                throw e;
            }
        } catch (SQLException e) {
            throw unread(e);
        }
    }

    private static void discardIfSpoiled(PostgresSession session, SQLException failure) {
        if (Failures.spoils(failure)) {
            session.discard();
        }
    }

    static LedgerFailure unread(SQLException failure) {
        return new LedgerFailure("the ledger could not be read: " + failure.getMessage(), failure);
    }

    @Override
    public void close() {
        connections.close();
    }
}

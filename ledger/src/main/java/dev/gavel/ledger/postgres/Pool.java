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

    /** Reads one thing. */
    <T> T read(Function<SqlReader, T> reading) {
        return read(reading, false);
    }

    /** Reads several things as they are at one moment. */
    <T> T readAtOnce(Function<SqlReader, T> reading) {
        return read(reading, true);
    }

    /** A connection may have died since it was last used: reading does no harm, so it is tried once more on another. */
    private <T> T read(Function<SqlReader, T> reading, boolean atOnce) {
        permits.acquireUninterruptibly();
        try {
            try {
                return attempt(reading, atOnce);
            } catch (LedgerFailure e) {
                if (e.getCause() instanceof SQLException failure && Failures.passes(failure)) {
                    return attempt(reading, atOnce);
                }
                throw e;
            }
        } finally {
            permits.release();
        }
    }

    private <T> T attempt(Function<SqlReader, T> reading, boolean atOnce) {
        try (PostgresSession session = take()) {
            try {
                if (atOnce) {
                    session.beginSnapshot();
                }
                T read = reading.apply(new SqlReader(session, PostgresSession.QUESTIONS));
                if (atOnce) {
                    session.commit();
                }
                return read;
            } catch (LedgerFailure e) {
                if (e.getCause() instanceof SQLException failure && Failures.spoils(failure)) {
                    session.discard();
                }
                throw e;
            }
        } catch (SQLException e) {
            throw unread(e);
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

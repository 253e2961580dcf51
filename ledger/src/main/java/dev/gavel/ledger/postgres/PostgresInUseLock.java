package dev.gavel.ledger.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the advisory lock that marks a PostgreSQL ledger as used by this process, and warns when the clocks of process
 * and database differ. If the connection is lost, the lock is acquired again on a new one. If another process holds the
 * lock by then, this process logs an error and continues. Thread-safe.
 */
final class PostgresInUseLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresInUseLock.class);

    /** The connection of a process that was just killed, or is stopping, may hold its lock for a moment longer. */
    private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(1);

    private static final long PAUSE_MILLIS = 100;
    private static final long CHECK_SECONDS = 5;
    private static final int CHECKS_PER_CLOCK_CHECK = 12;

    /** Proposals expire by the clock of each process. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final PostgresConnector connector;
    private final String lockSql;
    private final ScheduledExecutorService checkExecutor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-ledger-presence").factory());
    private @Nullable PostgresSession session;
    private boolean conflictLogged;
    private int checkCount;

    private PostgresInUseLock(PostgresConnector postgresConnector, PostgresOptions options) {
        this.connector = postgresConnector;
        this.lockSql = switch (options.use()) {
            case EXCLUSIVE -> AdvisoryLockSql.USE.tryExclusive();
            case SHARED -> AdvisoryLockSql.USE.tryShared();
        };
    }

    /** Acquires the lock; empty if another process holds it in a conflicting mode. */
    @SuppressWarnings("FutureReturnValueIgnored") // The task ends with the executor.
    static Optional<PostgresInUseLock> acquire(PostgresConnector postgresConnector, PostgresOptions options)
            throws SQLException {
        PostgresInUseLock postgresInUseLock = new PostgresInUseLock(postgresConnector, options);
        long end = System.nanoTime() + ACQUIRE_TIMEOUT.toNanos();
        boolean acquired = postgresInUseLock.acquire();
        while (!acquired && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            acquired = postgresInUseLock.acquire();
        }
        if (!acquired) {
            postgresInUseLock.close();
            return Optional.empty();
        }
        postgresInUseLock.compareClocks();
        postgresInUseLock.checkExecutor.scheduleWithFixedDelay(
                postgresInUseLock::checkConnection, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
        return Optional.of(postgresInUseLock);
    }

    private synchronized boolean acquire() throws SQLException {
        Connection connection = connector.connectForQueries();
        PostgresSession newSession = new PostgresSession(connection);
        try {
            if (newSession.first(lockSql, row -> row.getBoolean(1)).orElse(false)) {
                session = newSession;
                return true;
            }
        } catch (SQLException e) {
            newSession.close();
            throw e;
        }
        newSession.close();
        return false;
    }

    private synchronized void checkConnection() {
        if (checkExecutor.isShutdown()) {
            return;
        }
        try {
            if (session == null) {
                reacquire();
            } else {
                session.queryLong("SELECT 1");
                checkCount++;
                if (checkCount % CHECKS_PER_CLOCK_CHECK == 0) {
                    compareClocks();
                }
            }
        } catch (SQLException e) {
            if (session != null) {
                session.close();
            }
            session = null;
        }
    }

    private void reacquire() throws SQLException {
        boolean acquired = acquire();
        if (!acquired && !conflictLogged) {
            LOG.error(
                    "Another gateway started to use this ledger while its database was unavailable, and the two gateways cannot notify each other. Set 'bus' in both, or stop one of them.");
        }
        conflictLogged = !acquired;
    }

    /** Logs a warning if the clocks differ by more than the tolerance. */
    private synchronized void compareClocks() throws SQLException {
        if (session == null) {
            return;
        }
        Instant before = Instant.now();
        double seconds = session.first("SELECT extract(epoch FROM clock_timestamp())", row -> row.getDouble(1))
                .orElseThrow();
        Instant after = Instant.now();
        Duration skew = ClockSkewCalculator.between(before, after, Instant.ofEpochMilli(Math.round(seconds * 1000)));
        if (skew.compareTo(TOLERANCE) > 0) {
            LOG.warn(
                    "The clocks of this gateway and the ledger's database differ by {} s. Each gateway expires proposals by its own clock. Synchronize the clocks, for example with NTP.",
                    skew.toMillis() / 1000.0);
        }
    }

    @Override
    public void close() {
        checkExecutor.shutdownNow();
        synchronized (this) {
            if (session != null) {
                session.close();
                session = null;
            }
        }
    }
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SummaryProjector;
import dev.gavel.ledger.sql.SqlLedgerReader;
import dev.gavel.ledger.sql.SubjectPruner;
import dev.gavel.ledger.sql.SummaryRebuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A ledger store in a PostgreSQL database that several processes may share. Thread-safe. */
public final class PostgresLedger extends AbstractPostgresLedger implements LedgerStore {
    private static final String PROBE = """
            UPDATE gavel_schema SET at = at WHERE version = (SELECT max(version) FROM gavel_schema)
            """;

    private static final String BYTES = """
            SELECT sum(pg_total_relation_size(to_regclass(name)))
            FROM unnest(ARRAY['event', 'subject', 'summary', 'stream', 'forgotten', 'written']) AS name
            """;

    /** Each subject takes several statements, and all writers wait until the last one is done. */
    private static final int PRUNE_BATCH = 50;

    private final PostgresOptions options;
    private final PostgresInUseLock useLock;
    private final Duration retryTimeout;

    PostgresLedger(PostgresConnector postgresConnector, PostgresOptions options, PostgresInUseLock postgresInUseLock) {
        super(postgresConnector, options);
        this.options = options;
        this.useLock = postgresInUseLock;
        this.retryTimeout = options.retryTimeout();
    }

    /** Opens a database. Creates the tables if they are missing and brings the schema up to date. */
    public static PostgresOpenResult<PostgresLedger> open(PostgresOptions options) {
        return PostgresLedgerOpener.open(options, PostgresMigrations.ALL);
    }

    @Override
    public CommitResult write(Set<String> streams, Function<LedgerReader, LedgerBatch> decide) {
        return new PostgresBatchWriter(pool(), streams, decide, retryTimeout).write();
    }

    @Override
    public CommitResult probe() {
        try (PostgresSession session = pool().borrow()) {
            try {
                session.update(PROBE);
                return new CommitResult.Committed();
            } catch (SQLException e) {
                if (PostgresErrorClassifier.breaksConnection(e)) {
                    session.discard();
                }
                throw e;
            }
        } catch (SQLException e) {
            return new CommitResult.Unavailable(PostgresErrorClassifier.reason(e), PostgresErrorClassifier.detail(e));
        }
    }

    @Override
    public int prune(Instant endedBefore, int limit) {
        int pruned = 0;
        int last = PRUNE_BATCH;
        while (last == PRUNE_BATCH && pruned < limit) {
            int next = Math.min(PRUNE_BATCH, limit - pruned);
            // All writers wait for this, so it has the time limits of a query.
            last = runMaintenance(connector()::connectForQueries, session -> {
                LockedStreamRows.lockAll(session);
                return SubjectPruner.prune(session, endedBefore, next);
            });
            pruned += last;
        }
        return pruned;
    }

    @Override
    public void pruneThrough(String stream, long seq) {
        runMaintenance(connector()::connectForQueries, session -> {
            LockedStreamRows.lock(session, List.of(stream));
            SubjectPruner.pruneThrough(session, stream, seq);
            return seq;
        });
    }

    @Override
    public long rebuildSummaries(SummaryProjector projector) {
        return runMaintenance(connector()::connectForMaintenance, session -> {
            LockedStreamRows.lockAll(session);
            return SummaryRebuilder.rebuild(session, new SqlLedgerReader(session, PostgresSession.QUERIES), projector);
        });
    }

    /**
     * Returns a service for leases by which the processes that use this ledger decide which one runs a task. The caller
     * must close it before this ledger.
     */
    public PostgresLeaseService leases() {
        return new PostgresLeaseService(connector(), LeaseTimings.DEFAULT);
    }

    /**
     * Returns 32 unpredictable bytes that are the same for all processes with this ledger. The value stored in the
     * database is useless without the password of the database user.
     */
    public byte[] sharedSecret(String name) {
        return new SharedSecretDeriver(options, pool()).get(name);
    }

    /** Returns the size of the ledger's tables on disk, in bytes. */
    public long tableBytes() {
        return pool().readWithSession(session -> session.queryLong(BYTES));
    }

    @FunctionalInterface
    private interface Work<T> {
        T run(PostgresSession session) throws SQLException;
    }

    @FunctionalInterface
    private interface ConnectionFactory {
        Connection open() throws SQLException;
    }

    /** Runs work in a transaction on a separate connection. If it fails, closing the connection rolls it back. */
    private static <T> T runMaintenance(ConnectionFactory connectionFactory, Work<T> work) {
        try (PostgresSession session = new PostgresSession(connectionFactory.open())) {
            session.begin();
            T result = work.run(session);
            session.commit();
            return result;
        } catch (SQLException e) {
            throw new LedgerException(PostgresErrorClassifier.reason(e), e);
        }
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            useLock.close();
        }
    }
}

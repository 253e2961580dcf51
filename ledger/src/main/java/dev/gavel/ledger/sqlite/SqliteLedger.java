package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import dev.gavel.ledger.sql.SubjectPruner;
import dev.gavel.ledger.sql.SummaryRebuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/** A ledger store in one SQLite file that a single process writes. Thread-safe. */
public final class SqliteLedger extends AbstractSqliteLedger implements LedgerStore {
    private final LedgerFileLock lock;
    private final SqliteTransactionRunner transactionRunner;
    private final WalCheckpointer checkpointer;

    SqliteLedger(Path file, SqliteOptions options, LedgerFileLock lock, SqliteSession session) {
        super(file, options);
        this.lock = lock;
        this.transactionRunner = new SqliteTransactionRunner(file, options, session);
        this.checkpointer = new WalCheckpointer(file, options, transactionRunner);
    }

    /** Opens a file, or creates it, and brings its schema up to date. */
    public static SqliteOpenResult open(Path file, SqliteOptions options) {
        return SqliteLedgerOpener.open(file.toAbsolutePath(), options, SqliteMigrations.ALL);
    }

    @Override
    public CommitResult write(Set<String> streams, Function<LedgerReader, LedgerBatch> decide) {
        try {
            LedgerBatch written = transactionRunner.inTransaction(session -> {
                // No stream needs a lock, since the file has a single writer.
                LedgerBatch batch = decide.apply(new SqliteLedgerReader(session));
                new SqliteBatchAppender(session).append(batch);
                return batch;
            });
            checkpointer.onCommit(written.events().size(), bytes(written));
            return new CommitResult.Committed();
        } catch (SQLException e) {
            if (SqliteTransactionRunner.isDuplicateReference(e)) {
                throw new IllegalArgumentException("a reference occurs twice in a stream: " + e.getMessage(), e);
            }
            return new CommitResult.Unavailable(SqliteTransactionRunner.reason(e));
        }
    }

    @Override
    public CommitResult probe() {
        try {
            transactionRunner.inTransaction(session -> {
                long version = session.first("PRAGMA user_version", row -> row.getLong(1))
                        .orElse(0L);
                session.execute("PRAGMA user_version = " + version);
                return version;
            });
            return new CommitResult.Committed();
        } catch (SQLException e) {
            return new CommitResult.Unavailable(SqliteTransactionRunner.reason(e));
        }
    }

    private static long bytes(LedgerBatch batch) {
        long bytes = 0;
        for (LedgerEvent event : batch.events()) {
            bytes += event.body().length();
        }
        for (SubjectSummary summary : batch.summaries()) {
            bytes += summary.body().length();
        }
        return bytes;
    }

    @Override
    public int prune(Instant endedBefore, int limit) {
        int pruned = runMaintenance(session -> SubjectPruner.prune(session, endedBefore, limit));
        checkpointer.onCommit(pruned * 4, 0);
        return pruned;
    }

    @Override
    public void pruneThrough(String stream, long seq) {
        runMaintenance(session -> {
            SubjectPruner.pruneThrough(session, stream, seq);
            return seq;
        });
        checkpointer.onCommit(1, 0);
    }

    @Override
    public long rebuildSummaries(SummaryProjector projector) {
        long count = runMaintenance(
                session -> SummaryRebuilder.rebuild(session, new SqliteLedgerReader(session), projector));
        checkpointer.onCommit(Math.toIntExact(Math.min(count, Integer.MAX_VALUE)), 0);
        return count;
    }

    private <T> T runMaintenance(SqliteTransactionRunner.Work<T> work) {
        try {
            return transactionRunner.inTransaction(work);
        } catch (SQLException e) {
            throw new LedgerException(SqliteTransactionRunner.reason(e), e);
        }
    }

    /** Runs SQL on the write connection, for tests that make it fail. */
    void executeOnWriter(String sql) throws SQLException {
        transactionRunner.withWriteLock(session -> session.first(sql, row -> row.getLong(1)));
    }

    @Override
    public void close() {
        checkpointer.close();
        super.close();
        transactionRunner.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

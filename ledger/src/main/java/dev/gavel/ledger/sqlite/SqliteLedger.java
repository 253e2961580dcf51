package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.sql.Pruning;
import dev.gavel.ledger.sql.Rebuilding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/** A ledger in one SQLite file that belongs to one process at a time. Thread-safe. */
public final class SqliteLedger extends SqliteReading implements LedgerStore {
    private final FileLock lock;
    private final Writing writing;
    private final Checkpointer checkpointer;

    SqliteLedger(Path file, SqliteOptions options, FileLock lock, Session session) {
        super(file, options);
        this.lock = lock;
        this.writing = new Writing(file, options, session);
        this.checkpointer = new Checkpointer(file, options, writing);
    }

    /** Opens a file, and makes it where there is none; its schema is brought up to date. */
    public static Opening open(Path file, SqliteOptions options) {
        return SqliteOpening.open(file.toAbsolutePath(), options, Migrations.ALL);
    }

    @Override
    public Commit write(Set<String> streams, Function<LedgerReader, Batch> decide) {
        try {
            Batch written = writing.inTransaction(session -> {
                // All streams are ours: a file has one writer.
                Batch batch = decide.apply(new SqliteReader(session));
                new Appending(session).append(batch);
                return batch;
            });
            checkpointer.written(written.events().size(), bytes(written));
            return new Commit.Done();
        } catch (SQLException e) {
            if (Writing.isRepetition(e)) {
                throw new IllegalArgumentException("a reference occurs twice in a stream: " + e.getMessage(), e);
            }
            return new Commit.Unavailable(Writing.reason(e));
        }
    }

    @Override
    public Commit probe() {
        try {
            writing.inTransaction(session -> {
                long version = session.first("PRAGMA user_version", row -> row.getLong(1))
                        .orElse(0L);
                session.execute("PRAGMA user_version = " + version);
                return version;
            });
            return new Commit.Done();
        } catch (SQLException e) {
            return new Commit.Unavailable(Writing.reason(e));
        }
    }

    private static long bytes(Batch batch) {
        long bytes = 0;
        for (Event event : batch.events()) {
            bytes += event.body().length();
        }
        for (Summary summary : batch.summaries()) {
            bytes += summary.body().length();
        }
        return bytes;
    }

    @Override
    public int prune(Instant endedBefore, int limit) {
        int pruned = maintaining(session -> Pruning.prune(session, endedBefore, limit));
        checkpointer.written(pruned * 4, 0);
        return pruned;
    }

    @Override
    public long rebuild(Projector projector) {
        long made = maintaining(session -> Rebuilding.rebuild(session, new SqliteReader(session), projector));
        checkpointer.written(Math.toIntExact(Math.min(made, Integer.MAX_VALUE)), 0);
        return made;
    }

    private <T> T maintaining(Writing.Work<T> work) {
        try {
            return writing.inTransaction(work);
        } catch (SQLException e) {
            throw new LedgerFailure(Writing.reason(e), e);
        }
    }

    /** Runs SQL on the connection that writes: for tests that make it fail. */
    void tamper(String sql) throws SQLException {
        writing.alone(session -> session.first(sql, row -> row.getLong(1)));
    }

    @Override
    public void close() {
        checkpointer.close();
        super.close();
        writing.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

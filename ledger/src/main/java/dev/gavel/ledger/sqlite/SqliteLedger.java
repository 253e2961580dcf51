package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A ledger in one SQLite file that belongs to one process at a time. Thread-safe. */
public final class SqliteLedger implements LedgerStore {
    private static final int EXPORT_PAGE = 500;

    private final FileLock lock;
    private final Writing writing;
    private final Readers readers;
    private final Checkpointer checkpointer;

    SqliteLedger(Path file, SqliteOptions options, FileLock lock, Session session) {
        this.lock = lock;
        this.writing = new Writing(file, options, session);
        this.readers = new Readers(file, options);
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
        long made = maintaining(session -> Rebuilding.rebuild(session, projector));
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

    /** Page by page: a single long reading would keep the log from being started anew. */
    @Override
    public void export(Consumer<? super Event> sink) {
        long upTo = readers.read(SqliteReader::lastEvent);
        long last = 0;
        while (last < upTo) {
            long after = last;
            List<SqliteReader.NumberedEvent> page = readers.read(reader -> reader.all(after, upTo, EXPORT_PAGE));
            if (page.isEmpty()) {
                return;
            }
            page.forEach(each -> sink.accept(each.event()));
            last = page.getLast().number();
        }
    }

    @Override
    public List<String> streams() {
        return readers.read(SqliteReader::streams);
    }

    @Override
    public Extent extent(String stream) {
        return readers.read(reader -> reader.extent(stream));
    }

    @Override
    public Replay after(String stream, long seq, int limit) {
        return readers.read(reader -> reader.after(stream, seq, limit));
    }

    @Override
    public List<Event> history(String stream, String subject) {
        return readers.read(reader -> reader.history(stream, subject));
    }

    @Override
    public Optional<Event> byReference(String stream, String reference) {
        return readers.read(reader -> reader.byReference(stream, reference));
    }

    @Override
    public Optional<Summary> summary(String stream, String subject) {
        return readers.read(reader -> reader.summary(stream, subject));
    }

    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        return readers.read(reader -> reader.subjects(query, cursor, limit));
    }

    @Override
    public List<Summary> due(String stream, Instant until, int limit) {
        return readers.read(reader -> reader.due(stream, until, limit));
    }

    /** Runs SQL on the connection that writes: for tests that make it fail. */
    void tamper(String sql) throws SQLException {
        writing.alone(session -> session.first(sql, row -> row.getLong(1)));
    }

    @Override
    public void close() {
        checkpointer.close();
        readers.close();
        writing.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Exported;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a file by a few connections: what those who may write and those who may not have in common. Thread-safe. */
abstract sealed class SqliteReading implements LedgerView permits SqliteLedger, SqliteView {
    private static final int EXPORT_PAGE = 500;

    private final Readers readers;

    SqliteReading(Path file, SqliteOptions options) {
        this.readers = new Readers(file, options);
    }

    /**
     * Shows every event kept: all that were durable when it was called, each stream's in order. Page by page: a single
     * long reading would keep the log from being started anew.
     */
    @Override
    public void export(Consumer<? super Exported> sink) {
        long upTo = readers.read(SqliteReader::lastEvent);
        long last = 0;
        while (last < upTo) {
            long after = last;
            List<SqliteReader.NumberedEvent> page = readers.read(reader -> reader.all(after, upTo, EXPORT_PAGE));
            if (page.isEmpty()) {
                return;
            }
            page.forEach(each -> sink.accept(each.exported()));
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
    public Map<String, Long> heads() {
        return readers.read(SqliteReader::heads);
    }

    @Override
    public Replay after(String stream, long seq, int limit, long bytes) {
        return readers.read(reader -> reader.after(stream, seq, limit, bytes));
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

    @Override
    public ChainPage chain(String stream, long after, int limit, long bytes) {
        return readers.read(reader -> reader.atOnce(same -> same.chain(stream, after, limit, bytes)));
    }

    @Override
    public long lostStreams() {
        return readers.read(SqliteReader::lostStreams);
    }

    @Override
    public void close() {
        readers.close();
    }
}

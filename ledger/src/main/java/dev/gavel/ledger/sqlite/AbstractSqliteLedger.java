package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.EventSize;
import dev.gavel.ledger.ExportedEvent;
import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements the read operations that the writable and the read-only SQLite ledger share, on pooled connections.
 * Thread-safe.
 */
abstract sealed class AbstractSqliteLedger implements ReadableLedger permits SqliteLedger, SqliteReadOnlyLedger {
    private static final int EXPORT_PAGE = 500;

    private final SqliteReaderPool sqliteReaderPool;

    AbstractSqliteLedger(Path file, SqliteOptions options) {
        this.sqliteReaderPool = new SqliteReaderPool(file, options);
    }

    /** Exports page by page, since a single long read would prevent SQLite from restarting its write-ahead log. */
    @Override
    public void export(Consumer<? super ExportedEvent> sink) {
        long upTo = sqliteReaderPool.read(SqliteLedgerReader::lastEventId);
        long last = 0;
        while (last < upTo) {
            long after = last;
            List<SqliteLedgerReader.NumberedEvent> page =
                    sqliteReaderPool.read(reader -> reader.exportPage(after, upTo, EXPORT_PAGE));
            if (page.isEmpty()) {
                return;
            }
            page.forEach(each -> sink.accept(each.exportedEvent()));
            last = page.getLast().rowId();
        }
    }

    @Override
    public List<String> streams() {
        return sqliteReaderPool.read(SqliteLedgerReader::streams);
    }

    @Override
    public RetainedStreamRange retainedRange(String stream) {
        return sqliteReaderPool.read(reader -> reader.retainedRange(stream));
    }

    @Override
    public Map<String, Long> lastSeqs() {
        return sqliteReaderPool.read(SqliteLedgerReader::lastSeqs);
    }

    @Override
    public StreamReadResult eventsAfter(String stream, long seq, int limit, long bytes) {
        return sqliteReaderPool.read(reader -> reader.eventsAfter(stream, seq, limit, bytes));
    }

    @Override
    public List<EventSize> eventSizesAfter(String stream, long seq, int limit) {
        return sqliteReaderPool.read(reader -> reader.eventSizesAfter(stream, seq, limit));
    }

    @Override
    public List<LedgerEvent> history(String stream, String subject) {
        return sqliteReaderPool.read(reader -> reader.history(stream, subject));
    }

    @Override
    public Optional<LedgerEvent> findByReference(String stream, String reference) {
        return sqliteReaderPool.read(reader -> reader.findByReference(stream, reference));
    }

    @Override
    public Optional<SubjectSummary> summary(String stream, String subject) {
        return sqliteReaderPool.read(reader -> reader.summary(stream, subject));
    }

    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        return sqliteReaderPool.read(reader -> reader.subjects(query, cursor, limit));
    }

    @Override
    public List<SubjectSummary> dueSubjects(String stream, Instant until, int limit) {
        return sqliteReaderPool.read(reader -> reader.dueSubjects(stream, until, limit));
    }

    @Override
    public OwnerUsage ownerUsage(String owner, Instant now, int starts) {
        return sqliteReaderPool.read(reader -> reader.ownerUsage(owner, now, starts));
    }

    @Override
    public HashChainPage chainPage(String stream, long after, int limit, long bytes) {
        return sqliteReaderPool.read(
                reader -> reader.inSnapshot(snapshotReader -> snapshotReader.chainPage(stream, after, limit, bytes)));
    }

    @Override
    public long missingStreamCount() {
        return sqliteReaderPool.read(SqliteLedgerReader::missingStreamCount);
    }

    @Override
    public void close() {
        sqliteReaderPool.close();
    }
}

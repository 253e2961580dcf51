package dev.gavel.ledger.sql;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.EventSize;
import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads events, summaries and hash chains through one database session. Not thread-safe. */
public class SqlLedgerReader implements LedgerReader {
    private final SqlSession session;
    private final LedgerQuerySql queries;

    public SqlLedgerReader(SqlSession session, LedgerQuerySql ledgerQuerySql) {
        this.session = session;
        this.queries = ledgerQuerySql;
    }

    @Override
    public List<String> streams() {
        return readOrThrow(() -> session.list(queries.streamsQuery(), row -> session.text(row, 1)));
    }

    @Override
    public RetainedStreamRange retainedRange(String stream) {
        return readOrThrow(() -> session.first(
                        "SELECT first_seq, last_seq FROM stream WHERE name = ?",
                        row -> new RetainedStreamRange(row.getLong(1), row.getLong(2)),
                        stream)
                .orElse(RetainedStreamRange.EMPTY));
    }

    @Override
    public Map<String, Long> lastSeqs() {
        Map<String, Long> seqByStream = new LinkedHashMap<>();
        readOrThrow(() -> session.list(
                        "SELECT name, last_seq FROM stream WHERE last_seq > 0 ORDER BY name",
                        row -> Map.entry(session.text(row, 1), row.getLong(2))))
                .forEach(head -> seqByStream.put(head.getKey(), head.getValue()));
        return seqByStream;
    }

    @Override
    public StreamReadResult eventsAfter(String stream, long seq, int limit, long bytes) {
        PageByteBudget pageByteBudget = new PageByteBudget(bytes);
        List<LedgerEvent> events = readOrThrow(() -> session.listWhile(
                event -> pageByteBudget.consume(event.body()),
                queries.eventsAfter(),
                this::toEvent,
                stream,
                seq,
                limit));
        // Read after the events: pruning between the two reads can then only cause an unnecessary resync, never a gap.
        RetainedStreamRange retained = retainedRange(stream);
        return retained.coversAfter(seq) ? new StreamReadResult.Events(events) : new StreamReadResult.Resync(retained);
    }

    @Override
    public List<EventSize> eventSizesAfter(String stream, long seq, int limit) {
        return readOrThrow(() -> session.list(
                queries.eventSizesAfter(),
                row -> new EventSize(row.getLong(1), EpochMicros.toInstant(row.getLong(2)), row.getLong(3)),
                stream,
                seq,
                limit));
    }

    @Override
    public List<LedgerEvent> history(String stream, String subject) {
        return readOrThrow(() -> session.list(queries.history(), this::toEvent, stream, subject));
    }

    @Override
    public Optional<LedgerEvent> findByReference(String stream, String reference) {
        return readOrThrow(() -> session.first(queries.eventByReference(), this::toEvent, stream, reference));
    }

    @Override
    public Optional<SubjectSummary> summary(String stream, String subject) {
        return readOrThrow(() -> session.first(queries.summary(), this::summary, stream, subject));
    }

    /**
     * Returns a page of subjects. A cursor is the id of the last subject returned: ids are assigned in the order in
     * which subjects start, and never change.
     */
    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        SubjectQuerySql sql = SubjectQuerySql.of(queries.summaries(), LedgerQuerySql.STREAM_ID, query, cursor, limit);
        List<NumberedSummary> found = readOrThrow(() -> session.list(
                sql.text(),
                row -> new NumberedSummary(summary(row), row.getLong(11)),
                sql.parameters().toArray()));
        List<SubjectSummary> pageSummaries =
                found.stream().limit(limit).map(NumberedSummary::summary).toList();
        return new SubjectPage(
                pageSummaries,
                found.size() > limit ? Long.toString(found.get(limit - 1).number()) : null);
    }

    @Override
    public List<SubjectSummary> dueSubjects(String stream, Instant until, int limit) {
        return readOrThrow(
                () -> session.list(queries.dueSubjects(), this::summary, stream, EpochMicros.of(until), limit));
    }

    @Override
    public HashChainPage chainPage(String stream, long after, int limit, long bytes) {
        return readOrThrow(() -> new HashChainReader(session).page(stream, after, limit, bytes));
    }

    @Override
    public long missingStreamCount() {
        return readOrThrow(() -> new HashChainReader(session).missingStreamCount());
    }

    /** Returns the events of the subject with this id. */
    public List<LedgerEvent> historyBySubjectId(long subject) throws SQLException {
        return session.list(queries.historyBySubjectId(), this::toEvent, subject);
    }

    @Override
    public OwnerUsage ownerUsage(String owner, Instant now, int starts) {
        return readOrThrow(() -> {
            OwnerUsage open = session.first(
                            OwnerUsageSql.OPEN,
                            row -> new OwnerUsage(row.getInt(1), row.getLong(2), List.of(), 0),
                            owner,
                            owner)
                    .orElseThrow();
            List<Instant> latest = session.list(
                    OwnerUsageSql.LATEST_STARTS, row -> EpochMicros.toInstant(row.getLong(1)), owner, starts);
            long dayBytes = session.first(OwnerUsageSql.DAY, row -> row.getLong(1), owner, OwnerUsageSql.day(now))
                    .orElse(0L);
            return new OwnerUsage(open.open(), open.openBytes(), latest, dayBytes);
        });
    }

    private record NumberedSummary(SubjectSummary summary, long number) {}

    public LedgerEvent toEvent(ResultSet row) throws SQLException {
        return new LedgerEvent(
                session.text(row, 1),
                row.getLong(2),
                EpochMicros.toInstant(row.getLong(3)),
                session.text(row, 4),
                session.text(row, 5),
                session.text(row, 6),
                session.textOrNull(row, 7),
                LedgerBody.of(row.getBytes(8)));
    }

    private SubjectSummary summary(ResultSet row) throws SQLException {
        return new SubjectSummary(
                session.text(row, 1),
                session.text(row, 2),
                session.text(row, 3),
                row.getInt(4) == 1,
                session.text(row, 5),
                nullableTime(row, 6),
                EpochMicros.toInstant(row.getLong(7)),
                nullableTime(row, 8),
                row.getLong(9),
                LedgerBody.of(row.getBytes(10)));
    }

    private static @Nullable Instant nullableTime(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : EpochMicros.toInstant(micros);
    }

    @FunctionalInterface
    protected interface SqlRead<T> {
        T read() throws SQLException;
    }

    protected <T> T readOrThrow(SqlRead<T> sqlRead) {
        try {
            return sqlRead.read();
        } catch (SQLException e) {
            throw new LedgerException("the ledger could not be read: " + e.getMessage(), e);
        }
    }
}

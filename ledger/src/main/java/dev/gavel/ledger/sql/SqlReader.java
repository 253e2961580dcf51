package dev.gavel.ledger.sql;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Micros;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads by one session. Not thread-safe. */
public class SqlReader implements LedgerReader {
    private final SqlSession session;
    private final Questions questions;

    public SqlReader(SqlSession session, Questions questions) {
        this.session = session;
        this.questions = questions;
    }

    @Override
    public List<String> streams() {
        return reading(() -> session.list(questions.streams(), row -> session.text(row, 1)));
    }

    @Override
    public Extent extent(String stream) {
        return reading(() -> session.first(
                        "SELECT first_seq, last_seq FROM stream WHERE name = ?",
                        row -> new Extent(row.getLong(1), row.getLong(2)),
                        stream)
                .orElse(Extent.EMPTY));
    }

    @Override
    public Map<String, Long> heads() {
        Map<String, Long> heads = new LinkedHashMap<>();
        reading(() -> session.list(
                        "SELECT name, last_seq FROM stream WHERE last_seq > 0 ORDER BY name",
                        row -> Map.entry(session.text(row, 1), row.getLong(2))))
                .forEach(head -> heads.put(head.getKey(), head.getValue()));
        return heads;
    }

    @Override
    public Replay after(String stream, long seq, int limit, long bytes) {
        Room room = new Room(bytes);
        List<Event> events = reading(() -> session.listWhile(
                event -> room.leftBy(event.body()), questions.after(), this::event, stream, seq, limit));
        // Asked second: a pruning between the two only makes a resync of what could just have been replayed.
        Extent kept = extent(stream);
        return kept.coversAfter(seq) ? new Replay.Events(events) : new Replay.Resync(kept);
    }

    @Override
    public List<Event> history(String stream, String subject) {
        return reading(() -> session.list(questions.history(), this::event, stream, subject));
    }

    @Override
    public Optional<Event> byReference(String stream, String reference) {
        return reading(() -> session.first(questions.byReference(), this::event, stream, reference));
    }

    @Override
    public Optional<Summary> summary(String stream, String subject) {
        return reading(() -> session.first(questions.summary(), this::summary, stream, subject));
    }

    /** A cursor is the number of the last subject seen: numbers are given in the order subjects begin, and stay. */
    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        SubjectSql sql = SubjectSql.of(questions.summaries(), Questions.STREAM_ID, query, cursor, limit);
        List<Numbered> found = reading(() -> session.list(
                sql.text(),
                row -> new Numbered(summary(row), row.getLong(11)),
                sql.parameters().toArray()));
        List<Summary> shown = found.stream().limit(limit).map(Numbered::summary).toList();
        return new SubjectPage(
                shown, found.size() > limit ? Long.toString(found.get(limit - 1).number()) : null);
    }

    @Override
    public List<Summary> due(String stream, Instant until, int limit) {
        return reading(() -> session.list(questions.due(), this::summary, stream, Micros.of(until), limit));
    }

    @Override
    public ChainPage chain(String stream, long after, int limit, long bytes) {
        return reading(() -> new ChainReading(session).page(stream, after, limit, bytes));
    }

    @Override
    public long lostStreams() {
        return reading(() -> new ChainReading(session).lostStreams());
    }

    /** The events of the subject with this number. */
    public List<Event> historyOf(long subject) throws SQLException {
        return session.list(questions.ofSubject(), this::event, subject);
    }

    private record Numbered(Summary summary, long number) {}

    public Event event(ResultSet row) throws SQLException {
        return new Event(
                session.text(row, 1),
                row.getLong(2),
                Micros.toInstant(row.getLong(3)),
                session.text(row, 4),
                session.text(row, 5),
                session.text(row, 6),
                session.textOrNull(row, 7),
                Body.of(row.getBytes(8)));
    }

    private Summary summary(ResultSet row) throws SQLException {
        return new Summary(
                session.text(row, 1),
                session.text(row, 2),
                session.text(row, 3),
                row.getInt(4) == 1,
                session.text(row, 5),
                nullableTime(row, 6),
                Micros.toInstant(row.getLong(7)),
                nullableTime(row, 8),
                row.getLong(9),
                Body.of(row.getBytes(10)));
    }

    private static @Nullable Instant nullableTime(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.toInstant(micros);
    }

    @FunctionalInterface
    protected interface Reading<T> {
        T read() throws SQLException;
    }

    protected <T> T reading(Reading<T> reading) {
        try {
            return reading.read();
        } catch (SQLException e) {
            throw new LedgerFailure("the ledger could not be read: " + e.getMessage(), e);
        }
    }
}

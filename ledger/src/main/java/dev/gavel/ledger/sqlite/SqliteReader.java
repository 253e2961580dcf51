package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Exported;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads by one session. Not thread-safe. */
final class SqliteReader implements LedgerReader, AutoCloseable {
    static final String STREAM_ID = "(SELECT id FROM stream WHERE name = ?)";

    /** A page of an export ends when its events are so large together. */
    private static final long PAGE_BYTES = 4 << 20;

    private static final String EVENTS = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body
            FROM event e CROSS JOIN subject s ON s.id = e.subject CROSS JOIN stream st ON st.id = e.stream
            """;

    static final String AFTER = EVENTS + "WHERE e.stream = " + STREAM_ID + " AND e.seq > ? ORDER BY e.seq LIMIT ?";

    static final String HISTORY = EVENTS
            + "WHERE e.subject = (SELECT id FROM subject WHERE stream = " + STREAM_ID
            + " AND name = ?) ORDER BY e.seq";

    static final String BY_REFERENCE = EVENTS + "WHERE e.stream = " + STREAM_ID + " AND e.reference = ?";

    static final String OF_SUBJECT = EVENTS + "WHERE e.subject = ? ORDER BY e.seq";

    static final String ALL = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.id, e.hash, f.hash
            FROM event e CROSS JOIN subject s ON s.id = e.subject CROSS JOIN stream st ON st.id = e.stream
                LEFT JOIN forgotten f ON f.stream = e.stream AND f.last_seq = e.seq - 1
            WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?
            """;

    static final String SUMMARIES = """
            SELECT st.name, s.name, u.state, u.open, u.owner, u.due_at, u.started_at, u.ended_at, u.last_seq, u.body, u.subject
            FROM summary u CROSS JOIN subject s ON s.id = u.subject CROSS JOIN stream st ON st.id = u.stream
            """;

    static final String SUMMARY =
            SUMMARIES + "WHERE u.subject = (SELECT id FROM subject WHERE stream = " + STREAM_ID + " AND name = ?)";

    static final String DUE =
            SUMMARIES + "WHERE u.stream = " + STREAM_ID + " AND u.due_at <= ? ORDER BY u.due_at, u.subject LIMIT ?";

    private final Session session;

    SqliteReader(Session session) {
        this.session = session;
    }

    @Override
    public List<String> streams() {
        return reading(() -> session.list("SELECT name FROM stream ORDER BY name", row -> row.getString(1)));
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
    public Replay after(String stream, long seq, int limit, long bytes) {
        Room room = new Room(bytes);
        List<Event> events = reading(() ->
                session.listWhile(event -> room.leftBy(event.body()), AFTER, SqliteReader::event, stream, seq, limit));
        // Asked second: a pruning between the two only makes a resync of what could just have been replayed.
        Extent kept = extent(stream);
        return kept.coversAfter(seq) ? new Replay.Events(events) : new Replay.Resync(kept);
    }

    @Override
    public List<Event> history(String stream, String subject) {
        return reading(() -> session.list(HISTORY, SqliteReader::event, stream, subject));
    }

    @Override
    public Optional<Event> byReference(String stream, String reference) {
        return reading(() -> session.first(BY_REFERENCE, SqliteReader::event, stream, reference));
    }

    @Override
    public Optional<Summary> summary(String stream, String subject) {
        return reading(() -> session.first(SUMMARY, SqliteReader::summary, stream, subject));
    }

    /** A cursor is the number of the last subject seen: numbers are given in the order subjects begin, and stay. */
    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        SubjectSql sql = SubjectSql.of(SUMMARIES, STREAM_ID, query, cursor, limit);
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
        return reading(() -> session.list(DUE, SqliteReader::summary, stream, Micros.of(until), limit));
    }

    @Override
    public ChainPage chain(String stream, long after, int limit, long bytes) {
        return reading(() -> new ChainReading(session).page(stream, after, limit, bytes));
    }

    @Override
    public long lostStreams() {
        return reading(() -> new ChainReading(session).lostStreams());
    }

    /** Reads several things as they are at one moment; a reader whose reading throws must not be used again. */
    <T> T atOnce(Function<SqliteReader, T> reading) {
        return reading(() -> {
            session.execute("BEGIN");
            T read = reading.apply(this);
            session.execute("COMMIT");
            return read;
        });
    }

    /** The events of the subject with this number. */
    List<Event> historyOf(long subject) throws SQLException {
        return session.list(OF_SUBJECT, SqliteReader::event, subject);
    }

    /** The number of the last event written to any stream. */
    long lastEvent() {
        return reading(() -> session.number("SELECT max(id) FROM event"));
    }

    /** Events of all streams by number. */
    List<NumberedEvent> all(long after, long upTo, int limit) {
        Room room = new Room(PAGE_BYTES);
        return reading(() -> session.listWhile(
                each -> room.leftBy(each.exported().event().body()),
                ALL,
                row -> new NumberedEvent(
                        new Exported(event(row), ChainReading.hash(row, 10), ChainReading.hash(row, 11)),
                        row.getLong(9)),
                after,
                upTo,
                limit));
    }

    /** An event and its number among those of all streams. */
    record NumberedEvent(Exported exported, long number) {}

    private record Numbered(Summary summary, long number) {}

    private static Event event(ResultSet row) throws SQLException {
        return new Event(
                row.getString(1),
                row.getLong(2),
                Micros.toInstant(row.getLong(3)),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                Body.of(row.getBytes(8)));
    }

    private static Summary summary(ResultSet row) throws SQLException {
        return new Summary(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getInt(4) == 1,
                row.getString(5),
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
    private interface Reading<T> {
        T read() throws SQLException;
    }

    private static <T> T reading(Reading<T> reading) {
        try {
            return reading.read();
        } catch (SQLException e) {
            throw new LedgerFailure("the ledger could not be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}

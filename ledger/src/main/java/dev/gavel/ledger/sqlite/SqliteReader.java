package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Exported;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.Questions;
import dev.gavel.ledger.sql.Room;
import dev.gavel.ledger.sql.SqlReader;
import java.util.List;
import java.util.function.Function;

/** Reads by one session. Not thread-safe. */
final class SqliteReader extends SqlReader implements AutoCloseable {
    static final Questions QUESTIONS = new Questions(Session.DIALECT);

    /** A page of an export ends when its events are so large together. */
    private static final long PAGE_BYTES = 4 << 20;

    static final String ALL = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.id, e.hash, f.hash
            FROM event e CROSS JOIN subject s ON s.id = e.subject CROSS JOIN stream st ON st.id = e.stream
                LEFT JOIN forgotten f ON f.stream = e.stream AND f.last_seq = e.seq - 1
            WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?
            """;

    private final Session session;

    SqliteReader(Session session) {
        super(session, QUESTIONS);
        this.session = session;
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

    @Override
    public void close() {
        session.close();
    }
}

package dev.gavel.ledger.sql;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Link;
import dev.gavel.ledger.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream's chain as it is, also where somebody has been at it: a row that can be no event is shown as such. The
 * several questions it asks must see one state of the file, which is the caller's to see to.
 */
public final class ChainReading {
    /** A subject of another stream would be another subject of the same name. */
    public static final String EVENTS = """
            SELECT e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.digest, e.hash
            FROM event e LEFT JOIN subject s ON s.id = e.subject AND s.stream = e.stream
            WHERE e.stream = ? AND e.seq > ? ORDER BY e.seq LIMIT ?
            """;

    public static final String FORGOTTEN = """
            SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq > ? ORDER BY last_seq LIMIT ?
            """;

    public static final String FORGOTTEN_UP_TO = "SELECT max(last_seq) FROM forgotten WHERE stream = ?";

    /** Numbers are given from 1 without a gap, and never taken back. */
    private static final String LOST = """
            SELECT (SELECT max(n) FROM (
                SELECT max(id) AS n FROM stream UNION ALL SELECT max(stream) FROM event
                UNION ALL SELECT max(stream) FROM subject UNION ALL SELECT max(stream) FROM summary
                UNION ALL SELECT max(stream) FROM forgotten) AS numbers) - (SELECT count(*) FROM stream)
            """;

    private final SqlSession session;

    public ChainReading(SqlSession session) {
        this.session = session;
    }

    public ChainPage page(String stream, long after, int limit, long bytes) throws SQLException {
        Optional<Row> found = session.first(
                "SELECT id, first_seq, last_seq, head FROM stream WHERE name = ?",
                row -> new Row(row.getLong(1), new Extent(row.getLong(2), row.getLong(3)), hash(row, 4)),
                stream);
        if (found.isEmpty()) {
            return ChainPage.EMPTY;
        }
        Row row = found.get();
        List<Link> events = new ArrayList<>();
        List<Link> forgotten = new ArrayList<>();
        boolean moreEvents = read(stream, row.id, after, limit, bytes, events);
        boolean moreForgotten = read(row.id, after, limit, forgotten);
        long upTo = Math.min(
                moreEvents ? events.getLast().seq() : Long.MAX_VALUE,
                moreForgotten && forgotten.getLast() instanceof Link.Forgotten last ? last.last() : Long.MAX_VALUE);
        List<Link> links = new ArrayList<>(events);
        links.addAll(forgotten);
        links.removeIf(link -> link.seq() > upTo);
        // What is forgotten comes before an event in the same place: that one does not belong there.
        links.sort(Comparator.comparingLong(Link::seq).thenComparing(link -> !(link instanceof Link.Forgotten)));
        return new ChainPage(
                row.extent,
                row.head,
                session.number(FORGOTTEN_UP_TO, row.id),
                links,
                moreEvents || moreForgotten ? upTo : null);
    }

    public long lostStreams() throws SQLException {
        return Math.max(0, session.number(LOST));
    }

    /** Reads events; whether there may be more. */
    private boolean read(String name, long stream, long after, int limit, long bytes, List<Link> events)
            throws SQLException {
        Room room = new Room(bytes);
        events.addAll(session.listWhile(
                link -> !(link instanceof Link.Kept kept)
                        || room.leftBy(kept.event().body()),
                EVENTS,
                row -> link(session, name, row),
                stream,
                after,
                limit));
        return events.size() == limit || room.full();
    }

    /** Reads what was forgotten; whether there may be more. */
    private boolean read(long stream, long after, int limit, List<Link> forgotten) throws SQLException {
        forgotten.addAll(session.list(
                FORGOTTEN,
                row -> new Link.Forgotten(Math.min(row.getLong(1), row.getLong(2)), row.getLong(2), hash(row, 3)),
                stream,
                after,
                limit));
        return forgotten.size() == limit;
    }

    public static Link link(SqlSession session, String stream, ResultSet row) throws SQLException {
        long seq = row.getLong(1);
        String subject = session.textOrNull(row, 3);
        if (seq < 1) {
            return new Link.Unreadable(seq, "an event's seq is at least 1");
        }
        if (subject == null) {
            return new Link.Unreadable(seq, "what it happened to has no name any more");
        }
        Event event = new Event(
                stream,
                seq,
                Micros.toInstant(row.getLong(2)),
                subject,
                session.text(row, 4),
                session.text(row, 5),
                session.textOrNull(row, 6),
                Body.of(row.getBytes(7)));
        return new Link.Kept(event, hash(row, 8), hash(row, 9));
    }

    public static @Nullable Hash hash(ResultSet row, int column) throws SQLException {
        return Hash.of(row.getBytes(column)).orElse(null);
    }

    private record Row(long id, Extent extent, @Nullable Hash head) {}
}

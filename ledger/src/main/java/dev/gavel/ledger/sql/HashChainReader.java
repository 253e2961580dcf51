package dev.gavel.ledger.sql;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainEntry;
import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.RetainedStreamRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of a stream's hash chain from the database, including rows that were tampered with. It runs several
 * queries; the caller must make sure that they see one state of the database.
 */
public final class HashChainReader {
    /** The join includes the stream: a subject of the same name in another stream is a different subject. */
    public static final String EVENTS = """
            SELECT e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.digest, e.hash
            FROM event e LEFT JOIN subject s ON s.id = e.subject AND s.stream = e.stream
            WHERE e.stream = ? AND e.seq > ? ORDER BY e.seq LIMIT ?
            """;

    public static final String PRUNED_RANGES = """
            SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq > ? ORDER BY last_seq LIMIT ?
            """;

    public static final String PRUNED_UP_TO = "SELECT max(last_seq) FROM forgotten WHERE stream = ?";

    /** Stream ids are assigned from 1 without gaps and never reused. */
    private static final String MISSING_STREAMS = """
            SELECT (SELECT max(n) FROM (
                SELECT max(id) AS n FROM stream UNION ALL SELECT max(stream) FROM event
                UNION ALL SELECT max(stream) FROM subject UNION ALL SELECT max(stream) FROM summary
                UNION ALL SELECT max(stream) FROM forgotten) AS numbers) - (SELECT count(*) FROM stream)
            """;

    private final SqlSession session;

    public HashChainReader(SqlSession session) {
        this.session = session;
    }

    public HashChainPage page(String stream, long after, int limit, long bytes) throws SQLException {
        Optional<Row> found = session.first(
                "SELECT id, first_seq, last_seq, head FROM stream WHERE name = ?",
                row -> new Row(row.getLong(1), new RetainedStreamRange(row.getLong(2), row.getLong(3)), hash(row, 4)),
                stream);
        if (found.isEmpty()) {
            return HashChainPage.EMPTY;
        }
        Row row = found.get();
        List<HashChainEntry> events = new ArrayList<>();
        List<HashChainEntry> prunedRanges = new ArrayList<>();
        boolean moreEvents = readEntries(stream, row.id, after, limit, bytes, events);
        boolean morePrunedRanges = readEntries(row.id, after, limit, prunedRanges);
        long upTo = Math.min(
                moreEvents ? events.getLast().seq() : Long.MAX_VALUE,
                morePrunedRanges && prunedRanges.getLast() instanceof HashChainEntry.PrunedRange last
                        ? last.last()
                        : Long.MAX_VALUE);
        List<HashChainEntry> chainEntries = new ArrayList<>(events);
        chainEntries.addAll(prunedRanges);
        chainEntries.removeIf(chainEntry -> chainEntry.seq() > upTo);
        // A pruned range sorts before an event with the same seq, since that event does not belong there.
        chainEntries.sort(Comparator.comparingLong(HashChainEntry::seq)
                .thenComparing(chainEntry -> !(chainEntry instanceof HashChainEntry.PrunedRange)));
        return new HashChainPage(
                row.retainedStreamRange,
                row.head,
                session.queryLong(PRUNED_UP_TO, row.id),
                chainEntries,
                moreEvents || morePrunedRanges ? upTo : null);
    }

    public long missingStreamCount() throws SQLException {
        return Math.max(0, session.queryLong(MISSING_STREAMS));
    }

    /** Reads events into {@code events}. Returns whether there may be more. */
    private boolean readEntries(
            String name, long stream, long after, int limit, long bytes, List<HashChainEntry> events)
            throws SQLException {
        PageByteBudget pageByteBudget = new PageByteBudget(bytes);
        events.addAll(session.listWhile(
                chainEntry -> !(chainEntry instanceof HashChainEntry.StoredEvent storedEvent)
                        || pageByteBudget.consume(storedEvent.event().body()),
                EVENTS,
                row -> toChainEntry(session, name, row),
                stream,
                after,
                limit));
        return events.size() == limit || pageByteBudget.isExhausted();
    }

    /** Reads pruned ranges into {@code prunedRanges}. Returns whether there may be more. */
    private boolean readEntries(long stream, long after, int limit, List<HashChainEntry> prunedRanges)
            throws SQLException {
        prunedRanges.addAll(session.list(
                PRUNED_RANGES,
                row -> new HashChainEntry.PrunedRange(
                        Math.min(row.getLong(1), row.getLong(2)), row.getLong(2), hash(row, 3)),
                stream,
                after,
                limit));
        return prunedRanges.size() == limit;
    }

    public static HashChainEntry toChainEntry(SqlSession session, String stream, ResultSet row) throws SQLException {
        long seq = row.getLong(1);
        String subject = session.textOrNull(row, 3);
        if (seq < 1) {
            return new HashChainEntry.UnreadableRow(seq, "its seq is below 1");
        }
        if (subject == null) {
            return new HashChainEntry.UnreadableRow(seq, "the name of its subject is missing");
        }
        LedgerEvent event = new LedgerEvent(
                stream,
                seq,
                EpochMicros.toInstant(row.getLong(2)),
                subject,
                session.text(row, 4),
                session.text(row, 5),
                session.textOrNull(row, 6),
                LedgerBody.of(row.getBytes(7)));
        return new HashChainEntry.StoredEvent(event, hash(row, 8), hash(row, 9));
    }

    public static @Nullable Hash hash(ResultSet row, int column) throws SQLException {
        return Hash.of(row.getBytes(column)).orElse(null);
    }

    private record Row(
            long id,
            RetainedStreamRange retainedStreamRange,
            @Nullable Hash head) {}
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.sql.HashChainReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the stream table that a PostgreSQL transaction has locked for writing, by stream name. Rows are locked in
 * the order of their names, so that two transactions that lock several streams cannot deadlock. Not thread-safe.
 */
final class LockedStreamRows {
    private static final String COLUMNS = "SELECT name, id, first_seq, last_seq, head FROM stream ";
    private static final String LOCK = COLUMNS + "WHERE name = ANY (?) ORDER BY name FOR UPDATE";
    private static final String LOCK_ALL = COLUMNS + "ORDER BY name FOR UPDATE";

    /** Ids are assigned consecutively, without gaps. */
    private static final String CREATE = """
            INSERT INTO stream (id, name)
            SELECT (SELECT coalesce(max(id), 0) FROM stream) + row_number() OVER (ORDER BY wanted.name), wanted.name
            FROM unnest(?::text[]) AS wanted (name)
            WHERE NOT EXISTS (SELECT 1 FROM stream WHERE stream.name = wanted.name)
            """;

    private final Map<String, StreamRow> rows;

    private LockedStreamRows(Map<String, StreamRow> rows) {
        this.rows = rows;
    }

    /** Locks the named streams. Streams that do not exist are missing from the result. */
    static LockedStreamRows lock(PostgresSession session, Collection<String> names) throws SQLException {
        return of(session.list(LOCK, row -> new NamedRow(session.text(row, 1), row(row)), List.copyOf(names)));
    }

    /** Locks all streams. */
    static LockedStreamRows lockAll(PostgresSession session) throws SQLException {
        return of(session.list(LOCK_ALL, row -> new NamedRow(session.text(row, 1), row(row))));
    }

    private static LockedStreamRows of(List<NamedRow> locked) {
        Map<String, StreamRow> rows = new LinkedHashMap<>();
        locked.forEach(each -> rows.put(each.name, each.row));
        return new LockedStreamRows(rows);
    }

    /**
     * Creates rows for the named streams in a separate transaction. In the transaction that writes their first events,
     * they would make other writers that create streams wait, or would assign an id twice.
     */
    static void create(PostgresSession session, Collection<String> names) throws SQLException {
        session.begin();
        session.execute(AdvisoryLockSql.STREAMS.lockForTransaction());
        session.update(CREATE, List.copyOf(names));
        session.commit();
    }

    boolean containsAll(Collection<String> names) {
        return rows.keySet().containsAll(names);
    }

    @Nullable
    StreamRow find(String name) {
        return rows.get(name);
    }

    Collection<StreamRow> rows() {
        return rows.values();
    }

    private static StreamRow row(ResultSet row) throws SQLException {
        return new StreamRow(row.getLong(2), row.getLong(3), row.getLong(4), HashChainReader.hash(row, 5));
    }

    private record NamedRow(String name, StreamRow row) {}

    /** A locked row, updated in memory with the events being written. */
    static final class StreamRow {
        final long id;
        final long firstSeq;
        long lastSeq;
        Hash head;
        boolean changed;

        /**
         * Creates a row. If the stored head was destroyed, writing continues from the genesis hash, and the audit finds
         * the break.
         */
        StreamRow(long id, long firstSeq, long lastSeq, @Nullable Hash head) {
            this.id = id;
            this.firstSeq = firstSeq;
            this.lastSeq = lastSeq;
            this.head = head == null ? HashChainCalculator.GENESIS_HASH : head;
        }

        RetainedStreamRange range() {
            return new RetainedStreamRange(firstSeq, lastSeq);
        }
    }
}

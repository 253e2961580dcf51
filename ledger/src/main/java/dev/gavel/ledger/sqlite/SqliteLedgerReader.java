package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.ExportedEvent;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.LedgerQuerySql;
import dev.gavel.ledger.sql.PageByteBudget;
import dev.gavel.ledger.sql.SqlLedgerReader;
import java.util.List;
import java.util.function.Function;

/**
 * Runs read queries on one session of a SQLite ledger, including consistent snapshots and export pages. Not
 * thread-safe.
 */
final class SqliteLedgerReader extends SqlLedgerReader implements AutoCloseable {
    static final LedgerQuerySql QUERIES = new LedgerQuerySql(SqliteSession.DIALECT);

    /** The total size of the event bodies at which a page of an export ends. */
    private static final long PAGE_BYTES = 4 << 20;

    static final String ALL_EVENTS = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.id, e.hash, f.hash
            FROM event e CROSS JOIN subject s ON s.id = e.subject CROSS JOIN stream st ON st.id = e.stream
                LEFT JOIN forgotten f ON f.stream = e.stream AND f.last_seq = e.seq - 1
            WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?
            """;

    private final SqliteSession session;

    SqliteLedgerReader(SqliteSession session) {
        super(session, QUERIES);
        this.session = session;
    }

    /** Runs several reads that see one state of the database. If the reads throw, the reader must not be used again. */
    <T> T inSnapshot(Function<SqliteLedgerReader, T> operation) {
        return readOrThrow(() -> {
            session.execute("BEGIN");
            T read = operation.apply(this);
            session.execute("COMMIT");
            return read;
        });
    }

    /** Returns the row id of the last event written to any stream. */
    long lastEventId() {
        return readOrThrow(() -> session.queryLong("SELECT max(id) FROM event"));
    }

    /** Returns events of all streams, ordered by row id. */
    List<NumberedEvent> exportPage(long after, long upTo, int limit) {
        PageByteBudget pageByteBudget = new PageByteBudget(PAGE_BYTES);
        return readOrThrow(() -> session.listWhile(
                each -> pageByteBudget.consume(each.exportedEvent().event().body()),
                ALL_EVENTS,
                row -> new NumberedEvent(
                        new ExportedEvent(toEvent(row), HashChainReader.hash(row, 10), HashChainReader.hash(row, 11)),
                        row.getLong(9)),
                after,
                upTo,
                limit));
    }

    /** An event with its row id. */
    record NumberedEvent(ExportedEvent exportedEvent, long rowId) {}

    @Override
    public void close() {
        session.close();
    }
}

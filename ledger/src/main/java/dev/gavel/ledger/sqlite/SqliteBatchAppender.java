package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.OwnerUsageSql;
import dev.gavel.ledger.sql.SummaryUpsert;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the events and summaries of one batch within an open SQLite transaction and extends the hash chain. Not
 * thread-safe, used once.
 */
final class SqliteBatchAppender {
    private final SqliteSession session;
    private final Map<String, StreamRow> streams = new HashMap<>();
    private final Map<SubjectKey, Long> subjects = new HashMap<>();

    SqliteBatchAppender(SqliteSession session) {
        this.session = session;
    }

    void append(LedgerBatch batch) throws SQLException {
        for (LedgerEvent event : batch.events()) {
            append(event);
        }
        for (StreamRow stream : streams.values()) {
            session.update(
                    "UPDATE stream SET last_seq = ?, head = ? WHERE id = ?",
                    stream.lastSeq,
                    stream.head.bytes(),
                    stream.id);
        }
        for (@Nullable Object[] parameters : OwnerUsageSql.parameters(batch)) {
            session.update(OwnerUsageSql.ADD, parameters);
        }
        for (SubjectSummary summary : batch.summaries()) {
            StreamRow stream = findOrCreateStream(summary.stream());
            SummaryUpsert.upsert(session, findOrCreateSubjectId(stream, summary.subject()), stream.id, summary);
        }
    }

    private void append(LedgerEvent event) throws SQLException {
        StreamRow stream = findOrCreateStream(event.stream());
        if (event.seq() != stream.lastSeq + 1) {
            throw new IllegalArgumentException(
                    "seq %d cannot follow %d in the stream %s".formatted(event.seq(), stream.lastSeq, event.stream()));
        }
        Hash digest = HashChainCalculator.digest(event);
        stream.lastSeq = event.seq();
        stream.head = HashChainCalculator.nextHash(stream.head, event.seq(), digest);
        session.update(
                "INSERT INTO event (stream, seq, at, subject, type, actor, reference, body, digest, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                stream.id,
                event.seq(),
                EpochMicros.of(event.at()),
                findOrCreateSubjectId(stream, event.subject()),
                event.type(),
                event.actor(),
                event.reference(),
                event.body().bytes(),
                digest.bytes(),
                stream.head.bytes());
    }

    private StreamRow findOrCreateStream(String name) throws SQLException {
        StreamRow cached = streams.get(name);
        if (cached == null) {
            session.update("INSERT INTO stream (name) VALUES (?) ON CONFLICT DO NOTHING", name);
            cached = session.first(
                            "SELECT id, last_seq, head FROM stream WHERE name = ?",
                            row -> new StreamRow(row.getLong(1), row.getLong(2), HashChainReader.hash(row, 3)),
                            name)
                    .orElseThrow();
            streams.put(name, cached);
        }
        return cached;
    }

    private long findOrCreateSubjectId(StreamRow stream, String name) throws SQLException {
        SubjectKey key = new SubjectKey(stream.id, name);
        Long cached = subjects.get(key);
        if (cached == null) {
            cached = session.queryLong("SELECT id FROM subject WHERE stream = ? AND name = ?", stream.id, name);
            if (cached == 0) {
                cached = session.queryLong(
                        "INSERT INTO subject (stream, name) VALUES (?, ?) RETURNING id", stream.id, name);
            }
            subjects.put(key, cached);
        }
        return cached;
    }

    private record SubjectKey(long stream, String name) {}

    private static final class StreamRow {
        final long id;
        long lastSeq;
        Hash head;

        /**
         * Creates a row. If the stored head was destroyed, writing continues from the genesis hash, and the audit finds
         * the break.
         */
        StreamRow(long id, long lastSeq, @Nullable Hash head) {
            this.id = id;
            this.lastSeq = lastSeq;
            this.head = head == null ? HashChainCalculator.GENESIS_HASH : head;
        }
    }
}

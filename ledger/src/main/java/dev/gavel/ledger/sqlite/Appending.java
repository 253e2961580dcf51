package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Micros;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.Summarising;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one batch within a transaction somebody else began and ends. Not thread-safe, used once. */
final class Appending {
    private final Session session;
    private final Map<String, StreamRow> streams = new HashMap<>();
    private final Map<SubjectKey, Long> subjects = new HashMap<>();

    Appending(Session session) {
        this.session = session;
    }

    void append(Batch batch) throws SQLException {
        for (Event event : batch.events()) {
            append(event);
        }
        for (StreamRow stream : streams.values()) {
            session.update(
                    "UPDATE stream SET last_seq = ?, head = ? WHERE id = ?",
                    stream.lastSeq,
                    stream.head.bytes(),
                    stream.id);
        }
        for (Summary summary : batch.summaries()) {
            StreamRow stream = stream(summary.stream());
            Summarising.summarise(session, subject(stream, summary.subject()), stream.id, summary);
        }
    }

    private void append(Event event) throws SQLException {
        StreamRow stream = stream(event.stream());
        if (event.seq() != stream.lastSeq + 1) {
            throw new IllegalArgumentException(
                    "seq %d cannot follow %d in the stream %s".formatted(event.seq(), stream.lastSeq, event.stream()));
        }
        Hash digest = Chain.digest(event);
        stream.lastSeq = event.seq();
        stream.head = Chain.next(stream.head, event.seq(), digest);
        session.update(
                "INSERT INTO event (stream, seq, at, subject, type, actor, reference, body, digest, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                stream.id,
                event.seq(),
                Micros.of(event.at()),
                subject(stream, event.subject()),
                event.type(),
                event.actor(),
                event.reference(),
                event.body().bytes(),
                digest.bytes(),
                stream.head.bytes());
    }

    private StreamRow stream(String name) throws SQLException {
        StreamRow known = streams.get(name);
        if (known == null) {
            session.update("INSERT INTO stream (name) VALUES (?) ON CONFLICT DO NOTHING", name);
            known = session.first(
                            "SELECT id, last_seq, head FROM stream WHERE name = ?",
                            row -> new StreamRow(row.getLong(1), row.getLong(2), ChainReading.hash(row, 3)),
                            name)
                    .orElseThrow();
            streams.put(name, known);
        }
        return known;
    }

    private long subject(StreamRow stream, String name) throws SQLException {
        SubjectKey key = new SubjectKey(stream.id, name);
        Long known = subjects.get(key);
        if (known == null) {
            known = session.number("SELECT id FROM subject WHERE stream = ? AND name = ?", stream.id, name);
            if (known == 0) {
                known = session.number(
                        "INSERT INTO subject (stream, name) VALUES (?, ?) RETURNING id", stream.id, name);
            }
            subjects.put(key, known);
        }
        return known;
    }

    private record SubjectKey(long stream, String name) {}

    private static final class StreamRow {
        final long id;
        long lastSeq;
        Hash head;

        /** Where somebody has destroyed the head, writing goes on, and the break is there to be found. */
        StreamRow(long id, long lastSeq, @Nullable Hash head) {
            this.id = id;
            this.lastSeq = lastSeq;
            this.head = head == null ? Chain.START : head;
        }
    }
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sql.OwnerUsageSql;
import dev.gavel.ledger.sql.SummaryUpsert;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one batch of events and summaries into a PostgreSQL ledger, and extends the hash chains of the locked
 * streams. The number of database round trips does not depend on the size of the batch. Not thread-safe, used once.
 */
final class PostgresBatchAppender {
    private static final String EVENT = """
            INSERT INTO event (stream, seq, at, subject, type, actor, reference, body, digest, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String FIND_SUBJECTS = "SELECT name, id FROM subject WHERE stream = ? AND name = ANY (?)";

    /** Ids are assigned in the order in which subjects start. */
    private static final String INSERT_SUBJECTS = """
            INSERT INTO subject (stream, name)
            SELECT ?, begun.name FROM unnest(?::text[]) WITH ORDINALITY AS begun (name, place) ORDER BY begun.place
            RETURNING name, id
            """;

    private final PostgresSession session;
    private final LockedStreamRows streams;
    private final Map<String, Map<String, Long>> subjects = new HashMap<>();

    PostgresBatchAppender(PostgresSession session, LockedStreamRows streams) {
        this.session = session;
        this.streams = streams;
    }

    /** Appends the batch. Returns a marker by which its commit can be recognised; empty if the batch has no events. */
    Optional<UnconfirmedCommit> append(LedgerBatch batch) throws SQLException {
        resolveSubjectIds(batch);
        Optional<UnconfirmedCommit> unconfirmedCommit = Optional.empty();
        List<@Nullable Object[]> events = new ArrayList<>(batch.events().size());
        for (LedgerEvent event : batch.events()) {
            LockedStreamRows.StreamRow stream = stream(event.stream());
            if (event.seq() != stream.lastSeq + 1) {
                throw new IllegalArgumentException("seq %d cannot follow %d in the stream %s"
                        .formatted(event.seq(), stream.lastSeq, event.stream()));
            }
            Hash digest = HashChainCalculator.digest(event);
            stream.lastSeq = event.seq();
            stream.head = HashChainCalculator.nextHash(stream.head, event.seq(), digest);
            stream.changed = true;
            unconfirmedCommit = Optional.of(new UnconfirmedCommit(stream.id, stream.lastSeq, stream.head));
            events.add(new @Nullable Object[] {
                stream.id,
                event.seq(),
                EpochMicros.of(event.at()),
                subject(event.stream(), event.subject()),
                event.type(),
                event.actor(),
                event.reference(),
                event.body().bytes(),
                digest.bytes(),
                stream.head.bytes()
            });
        }
        session.executeBatch(EVENT, events);
        session.executeBatch(
                "UPDATE stream SET last_seq = ?, head = ? WHERE id = ?",
                streams.rows().stream()
                        .filter(stream -> stream.changed)
                        .map(stream -> new @Nullable Object[] {stream.lastSeq, stream.head.bytes(), stream.id})
                        .toList());
        List<@Nullable Object[]> summaries = new ArrayList<>(batch.summaries().size());
        for (SubjectSummary summary : batch.summaries()) {
            summaries.add(SummaryUpsert.parameters(
                    subject(summary.stream(), summary.subject()), stream(summary.stream()).id, summary));
        }
        session.executeBatch(SummaryUpsert.SQL, summaries);
        session.executeBatch(OwnerUsageSql.ADD, OwnerUsageSql.parameters(batch));
        return unconfirmedCommit;
    }

    /** Looks up the ids of all subjects in the batch, and inserts the new subjects. */
    private void resolveSubjectIds(LedgerBatch batch) throws SQLException {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        batch.events().forEach(event -> names(names, event.stream()).add(event.subject()));
        batch.summaries().forEach(each -> names(names, each.stream()).add(each.subject()));
        for (Map.Entry<String, Set<String>> each : names.entrySet()) {
            long stream = stream(each.getKey()).id;
            Map<String, Long> idsByName = new HashMap<>();
            loadIds(idsByName, FIND_SUBJECTS, stream, List.copyOf(each.getValue()));
            List<String> newSubjects = each.getValue().stream()
                    .filter(name -> !idsByName.containsKey(name))
                    .toList();
            if (!newSubjects.isEmpty()) {
                loadIds(idsByName, INSERT_SUBJECTS, stream, newSubjects);
            }
            subjects.put(each.getKey(), idsByName);
        }
    }

    private static Set<String> names(Map<String, Set<String>> names, String stream) {
        return names.computeIfAbsent(stream, key -> new LinkedHashSet<>());
    }

    private void loadIds(Map<String, Long> target, String sql, long stream, List<String> names) throws SQLException {
        session.list(sql, row -> Map.entry(session.text(row, 1), row.getLong(2)), stream, names)
                .forEach(each -> target.put(each.getKey(), each.getValue()));
    }

    private LockedStreamRows.StreamRow stream(String name) {
        LockedStreamRows.StreamRow row = streams.find(name);
        if (row == null) {
            throw new IllegalArgumentException("the stream %s is not part of this batch".formatted(name));
        }
        return row;
    }

    private long subject(String stream, String name) {
        Long id = subjects.getOrDefault(stream, Map.of()).get(name);
        if (id == null) {
            throw new IllegalStateException("a subject without an id: " + name);
        }
        return id;
    }
}

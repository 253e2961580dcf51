package dev.gavel.ledger.sql;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.LedgerBody;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes ended subjects, such as proposals, with their events, and records the deleted seqs so that the hash chain
 * stays verifiable.
 */
public final class SubjectPruner {
    public static final String ENDED_SUBJECTS =
            "SELECT subject, stream FROM summary WHERE ended_at < ? AND due_at IS NULL ORDER BY ended_at LIMIT ?";

    public static final String ENDED_BEFORE_SEQ = """
            SELECT e.subject FROM event e JOIN summary u ON u.subject = e.subject
            WHERE e.stream = ? AND e.seq <= ? AND u.open = 0 AND u.last_seq <= ?
            """;

    public static final String RANGE_BEFORE =
            "SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq = ?";

    public static final String RANGE_AFTER = """
            SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq > ? ORDER BY last_seq LIMIT 1
            """;

    private final SqlSession session;

    private SubjectPruner(SqlSession session) {
        this.session = session;
    }

    public static int prune(SqlSession session, Instant endedBefore, int limit) throws SQLException {
        return new SubjectPruner(session).prune(endedBefore, limit);
    }

    /** Deletes the events of one stream up to a seq, and its subjects that have no later events and are not open. */
    public static void pruneThrough(SqlSession session, String stream, long seq) throws SQLException {
        Optional<Long> id = session.first("SELECT id FROM stream WHERE name = ?", row -> row.getLong(1), stream);
        if (id.isPresent()) {
            new SubjectPruner(session).pruneThrough(id.get(), seq);
        }
    }

    private void pruneThrough(long stream, long seq) throws SQLException {
        List<PrunedRun> pruned = session.list(
                "SELECT seq, seq, hash FROM event WHERE stream = ? AND seq <= ?", PrunedRun::of, stream, seq);
        List<Long> subjects = session.list(ENDED_BEFORE_SEQ, row -> row.getLong(1), stream, seq, seq);
        session.update("DELETE FROM event WHERE stream = ? AND seq <= ?", stream, seq);
        for (long subject : subjects) {
            session.update("DELETE FROM summary WHERE subject = ?", subject);
            session.update("DELETE FROM subject WHERE id = ?", subject);
        }
        recordPruned(stream, pruned);
    }

    private int prune(Instant endedBefore, int limit) throws SQLException {
        session.update("DELETE FROM written WHERE day < ?", OwnerUsageSql.day(endedBefore));
        List<EndedSubject> endedSubjects = session.list(
                ENDED_SUBJECTS,
                row -> new EndedSubject(row.getLong(1), row.getLong(2)),
                EpochMicros.of(endedBefore),
                limit);
        Map<Long, List<PrunedRun>> prunedByStream = new HashMap<>();
        for (EndedSubject each : endedSubjects) {
            prunedByStream
                    .computeIfAbsent(each.stream(), key -> new ArrayList<>())
                    .addAll(session.list(
                            "SELECT seq, seq, hash FROM event WHERE subject = ?", PrunedRun::of, each.subject()));
            session.update("DELETE FROM event WHERE subject = ?", each.subject());
            session.update("DELETE FROM summary WHERE subject = ?", each.subject());
            session.update("DELETE FROM subject WHERE id = ?", each.subject());
        }
        for (Map.Entry<Long, List<PrunedRun>> stream : prunedByStream.entrySet()) {
            recordPruned(stream.getKey(), stream.getValue());
        }
        return endedSubjects.size();
    }

    /** Records the deleted events of a stream. */
    private void recordPruned(long stream, List<PrunedRun> pruned) throws SQLException {
        List<PrunedRun> runs = mergeAdjacent(pruned);
        for (PrunedRun run : runs) {
            recordRange(stream, run);
        }
        if (!runs.isEmpty()) {
            session.update(
                    "UPDATE stream SET first_seq = " + session.dialect().greatestFunction()
                            + "(first_seq, ?) WHERE id = ?",
                    runs.getLast().last() + 1,
                    stream);
        }
    }

    /** Merges adjacent runs. */
    private static List<PrunedRun> mergeAdjacent(List<PrunedRun> unmerged) {
        List<PrunedRun> runs = new ArrayList<>();
        unmerged.sort(Comparator.comparingLong(PrunedRun::first));
        for (PrunedRun each : unmerged) {
            boolean adjacent = !runs.isEmpty() && runs.getLast().last() + 1 == each.first();
            runs.add(adjacent ? new PrunedRun(runs.removeLast().first(), each.last(), each.hash()) : each);
        }
        return runs;
    }

    /**
     * Records a pruned range, merged with the recorded ranges directly before and after it, so that only the last hash
     * of the whole range is stored.
     */
    private void recordRange(long stream, PrunedRun run) throws SQLException {
        Optional<PrunedRun> before = find(RANGE_BEFORE, stream, run.first() - 1);
        Optional<PrunedRun> after =
                find(RANGE_AFTER, stream, run.last()).filter(found -> found.first() == run.last() + 1);
        if (before.isPresent()) {
            session.update(
                    "DELETE FROM forgotten WHERE stream = ? AND last_seq = ?",
                    stream,
                    before.get().last());
        }
        PrunedRun end = after.orElse(run);
        session.update(
                """
                INSERT INTO forgotten (stream, last_seq, first_seq, hash) VALUES (?, ?, ?, ?)
                ON CONFLICT (stream, last_seq) DO UPDATE SET first_seq = excluded.first_seq, hash = excluded.hash
                """, stream, end.last(), before.orElse(run).first(), end.hash().bytes());
    }

    private Optional<PrunedRun> find(String sql, long stream, long seq) throws SQLException {
        return session.first(sql, PrunedRun::of, stream, seq);
    }

    private record EndedSubject(long subject, long stream) {}

    /** A run of adjacent events with the stored hash of the last one, valid or not. */
    private record PrunedRun(long first, long last, LedgerBody hash) {
        static PrunedRun of(ResultSet row) throws SQLException {
            return new PrunedRun(row.getLong(1), row.getLong(2), LedgerBody.of(row.getBytes(3)));
        }
    }
}

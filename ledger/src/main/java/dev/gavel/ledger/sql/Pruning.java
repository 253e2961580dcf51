package dev.gavel.ledger.sql;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Forgets a few ended subjects within a transaction somebody else began and ends. */
public final class Pruning {
    public static final String ENDED =
            "SELECT subject, stream FROM summary WHERE ended_at < ? AND due_at IS NULL ORDER BY ended_at LIMIT ?";

    public static final String BEFORE =
            "SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq = ?";

    public static final String BEHIND = """
            SELECT first_seq, last_seq, hash FROM forgotten WHERE stream = ? AND last_seq > ? ORDER BY last_seq LIMIT 1
            """;

    private final SqlSession session;

    private Pruning(SqlSession session) {
        this.session = session;
    }

    public static int prune(SqlSession session, Instant endedBefore, int limit) throws SQLException {
        return new Pruning(session).prune(endedBefore, limit);
    }

    private int prune(Instant endedBefore, int limit) throws SQLException {
        List<Ended> ended =
                session.list(ENDED, row -> new Ended(row.getLong(1), row.getLong(2)), Micros.of(endedBefore), limit);
        Map<Long, List<Run>> forgotten = new HashMap<>();
        for (Ended each : ended) {
            forgotten
                    .computeIfAbsent(each.stream(), key -> new ArrayList<>())
                    .addAll(session.list(
                            "SELECT seq, seq, hash FROM event WHERE subject = ?", Run::of, each.subject()));
            session.update("DELETE FROM event WHERE subject = ?", each.subject());
            session.update("DELETE FROM summary WHERE subject = ?", each.subject());
            session.update("DELETE FROM subject WHERE id = ?", each.subject());
        }
        for (Map.Entry<Long, List<Run>> stream : forgotten.entrySet()) {
            List<Run> runs = joined(stream.getValue());
            for (Run run : runs) {
                remember(stream.getKey(), run);
            }
            if (!runs.isEmpty()) {
                session.update(
                        "UPDATE stream SET first_seq = " + session.dialect().greater() + "(first_seq, ?) WHERE id = ?",
                        runs.getLast().last() + 1,
                        stream.getKey());
            }
        }
        return ended.size();
    }

    /** What stood side by side becomes one. */
    private static List<Run> joined(List<Run> scattered) {
        List<Run> runs = new ArrayList<>();
        scattered.sort(Comparator.comparingLong(Run::first));
        for (Run each : scattered) {
            boolean beside = !runs.isEmpty() && runs.getLast().last() + 1 == each.first();
            runs.add(beside ? new Run(runs.removeLast().first(), each.last(), each.hash()) : each);
        }
        return runs;
    }

    /** Joins it with what was forgotten right before and right behind it, so that only the last hash of all stays. */
    private void remember(long stream, Run run) throws SQLException {
        Optional<Run> before = find(BEFORE, stream, run.first() - 1);
        Optional<Run> behind = find(BEHIND, stream, run.last()).filter(found -> found.first() == run.last() + 1);
        if (before.isPresent()) {
            session.update(
                    "DELETE FROM forgotten WHERE stream = ? AND last_seq = ?",
                    stream,
                    before.get().last());
        }
        Run end = behind.orElse(run);
        session.update(
                """
                INSERT INTO forgotten (stream, last_seq, first_seq, hash) VALUES (?, ?, ?, ?)
                ON CONFLICT (stream, last_seq) DO UPDATE SET first_seq = excluded.first_seq, hash = excluded.hash
                """, stream, end.last(), before.orElse(run).first(), end.hash().bytes());
    }

    private Optional<Run> find(String sql, long stream, long seq) throws SQLException {
        return session.first(sql, Run::of, stream, seq);
    }

    private record Ended(long subject, long stream) {}

    /** Events side by side, and the hash of the last as it is kept, right or wrong. */
    private record Run(long first, long last, Body hash) {
        static Run of(ResultSet row) throws SQLException {
            return new Run(row.getLong(1), row.getLong(2), Body.of(row.getBytes(3)));
        }
    }
}

package dev.gavel.ledger.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Forgets a few ended subjects within a transaction somebody else began and ends. */
final class Pruning {
    static final String ENDED =
            "SELECT subject, stream FROM summary WHERE ended_at < ? AND due_at IS NULL ORDER BY ended_at LIMIT ?";

    private Pruning() {}

    static int prune(Session session, Instant endedBefore, int limit) throws SQLException {
        List<Ended> ended =
                session.list(ENDED, row -> new Ended(row.getLong(1), row.getLong(2)), Micros.of(endedBefore), limit);
        Map<Long, Long> lastForgotten = new HashMap<>();
        for (Ended each : ended) {
            long last = session.number("SELECT max(seq) FROM event WHERE subject = ?", each.subject());
            lastForgotten.merge(each.stream(), last, Math::max);
            session.update("DELETE FROM event WHERE subject = ?", each.subject());
            session.update("DELETE FROM summary WHERE subject = ?", each.subject());
            session.update("DELETE FROM subject WHERE id = ?", each.subject());
        }
        for (Map.Entry<Long, Long> stream : lastForgotten.entrySet()) {
            session.update(
                    "UPDATE stream SET first_seq = max(first_seq, ?) WHERE id = ?",
                    stream.getValue() + 1,
                    stream.getKey());
        }
        return ended.size();
    }

    private record Ended(long subject, long stream) {}
}

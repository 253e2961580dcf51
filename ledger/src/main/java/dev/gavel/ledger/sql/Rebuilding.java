package dev.gavel.ledger.sql;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Projector;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes the summaries anew within a transaction somebody else began and ends: until it ends, readers see the old ones.
 * One subject's history is in memory at a time.
 */
public final class Rebuilding {
    private static final int CHUNK = 1000;

    private Rebuilding() {}

    public static long rebuild(SqlSession session, SqlReader reader, Projector projector) throws SQLException {
        session.execute("DELETE FROM summary");
        long made = 0;
        long last = 0;
        List<Numbers> chunk;
        do {
            chunk = session.list(
                    "SELECT id, stream FROM subject WHERE id > ? ORDER BY id LIMIT " + CHUNK,
                    row -> new Numbers(row.getLong(1), row.getLong(2)),
                    last);
            for (Numbers subject : chunk) {
                last = subject.id();
                List<Event> history = reader.historyOf(subject.id());
                if (!history.isEmpty()) {
                    Summarising.summarise(session, subject.id(), subject.stream(), projector.summarise(history));
                    made++;
                }
            }
        } while (!chunk.isEmpty());
        return made;
    }

    private record Numbers(long id, long stream) {}
}

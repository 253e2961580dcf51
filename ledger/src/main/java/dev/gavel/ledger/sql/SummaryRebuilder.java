package dev.gavel.ledger.sql;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SummaryProjector;
import java.sql.SQLException;
import java.util.List;

/**
 * Rebuilds the ledger's summary table in one transaction, by replaying the events of each subject, such as a proposal
 * or a SEP. Only one subject's history is in memory at any time.
 */
public final class SummaryRebuilder {
    private static final int CHUNK = 1000;

    private SummaryRebuilder() {}

    public static long rebuild(SqlSession session, SqlLedgerReader reader, SummaryProjector projector)
            throws SQLException {
        session.execute("DELETE FROM summary");
        long count = 0;
        long last = 0;
        List<SubjectIds> chunk;
        do {
            chunk = session.list(
                    "SELECT id, stream FROM subject WHERE id > ? ORDER BY id LIMIT " + CHUNK,
                    row -> new SubjectIds(row.getLong(1), row.getLong(2)),
                    last);
            for (SubjectIds subject : chunk) {
                last = subject.id();
                List<LedgerEvent> history = reader.historyBySubjectId(subject.id());
                if (!history.isEmpty()) {
                    SummaryUpsert.upsert(session, subject.id(), subject.stream(), projector.project(history));
                    count++;
                }
            }
        } while (!chunk.isEmpty());
        return count;
    }

    private record SubjectIds(long id, long stream) {}
}

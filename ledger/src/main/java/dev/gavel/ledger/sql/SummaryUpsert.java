package dev.gavel.ledger.sql;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.SubjectSummary;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts or updates the database row that summarizes the current state of one proposal, SEP or other subject of
 * events. Stateless.
 */
public final class SummaryUpsert {
    public static final String SQL = """
            INSERT INTO summary (subject, stream, state, open, owner, due_at, started_at, ended_at, last_seq, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET
                state = excluded.state, open = excluded.open, owner = excluded.owner, due_at = excluded.due_at,
                started_at = excluded.started_at, ended_at = excluded.ended_at, last_seq = excluded.last_seq,
                body = excluded.body
            """;

    private SummaryUpsert() {}

    public static void upsert(SqlSession session, long subject, long stream, SubjectSummary summary)
            throws SQLException {
        session.update(SQL, parameters(subject, stream, summary));
    }

    /** Returns the parameters of {@link #SQL}. */
    public static @Nullable Object[] parameters(long subject, long stream, SubjectSummary summary) {
        return new @Nullable Object[] {
            subject,
            stream,
            summary.state(),
            summary.open() ? 1 : 0,
            summary.owner(),
            EpochMicros.ofNullable(summary.dueAt()),
            EpochMicros.of(summary.startedAt()),
            EpochMicros.ofNullable(summary.endedAt()),
            summary.lastSeq(),
            summary.body().bytes()
        };
    }
}

package dev.gavel.ledger.sql;

/** Supplies the SQL text of the queries for events and summaries, in the dialect of one database. Immutable. */
public final class LedgerQuerySql {
    public static final String STREAM_ID = "(SELECT id FROM stream WHERE name = ?)";

    private static final String SUBJECT_ID = "(SELECT id FROM subject WHERE stream = " + STREAM_ID + " AND name = ?)";

    private final String events;
    private final String summaries;
    private final String streams;

    public LedgerQuerySql(SqlDialect dialect) {
        this.events = """
                SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body
                FROM event e JOIN subject s ON s.id = e.subject JOIN stream st ON st.id = e.stream
                """.replace("JOIN", dialect.joinKeyword());
        this.summaries = """
                SELECT st.name, s.name, u.state, u.open, u.owner, u.due_at, u.started_at, u.ended_at, u.last_seq, u.body, u.subject
                FROM summary u JOIN subject s ON s.id = u.subject JOIN stream st ON st.id = u.stream
                """.replace("JOIN", dialect.joinKeyword());
        this.streams = dialect.streamsQuery();
    }

    String streamsQuery() {
        return streams;
    }

    public String eventsAfter() {
        return events + "WHERE e.stream = " + STREAM_ID + " AND e.seq > ? ORDER BY e.seq LIMIT ?";
    }

    public String eventSizesAfter() {
        return "SELECT seq, at, length(body) FROM event WHERE stream = " + STREAM_ID
                + " AND seq > ? ORDER BY seq LIMIT ?";
    }

    public String history() {
        return events + "WHERE e.subject = " + SUBJECT_ID + " ORDER BY e.seq";
    }

    public String eventByReference() {
        return events + "WHERE e.stream = " + STREAM_ID + " AND e.reference = ?";
    }

    public String historyBySubjectId() {
        return events + "WHERE e.subject = ? ORDER BY e.seq";
    }

    public String summaries() {
        return summaries;
    }

    public String summary() {
        return summaries + "WHERE u.subject = " + SUBJECT_ID;
    }

    public String dueSubjects() {
        return summaries + "WHERE u.stream = " + STREAM_ID + " AND u.due_at <= ? ORDER BY u.due_at, u.subject LIMIT ?";
    }
}

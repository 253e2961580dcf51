package dev.gavel.ledger.postgres;

import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Exported;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.SqlReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a database: what those who may write and those who may not have in common. Thread-safe. */
abstract sealed class PostgresReading implements LedgerView permits PostgresLedger, PostgresView {
    private static final String ALL = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.hash, f.hash
            FROM event e JOIN subject s ON s.id = e.subject JOIN stream st ON st.id = e.stream
                LEFT JOIN forgotten f ON f.stream = e.stream AND f.last_seq = e.seq - 1
            WHERE e.stream = (SELECT id FROM stream WHERE name = ?) ORDER BY e.seq
            """;

    private final Connecting connecting;
    private final Pool pool;

    PostgresReading(Connecting connecting, PostgresOptions options) {
        this.connecting = connecting;
        this.pool = new Pool(connecting, options);
    }

    Pool pool() {
        return pool;
    }

    Connecting connecting() {
        return connecting;
    }

    /** All of it in one transaction, which sees one state of the database; a few rows at a time. */
    @Override
    public void export(Consumer<? super Exported> sink) {
        try (PostgresSession session = new PostgresSession(connecting.patient())) {
            session.beginSnapshot();
            // Whoever reads along may pause; nobody waits for it.
            session.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            SqlReader reader = new SqlReader(session, PostgresSession.QUESTIONS);
            for (String stream : reader.streams()) {
                session.each(
                        ALL,
                        row -> sink.accept(
                                new Exported(reader.event(row), ChainReading.hash(row, 9), ChainReading.hash(row, 10))),
                        stream);
            }
            session.commit();
        } catch (SQLException e) {
            throw Pool.unread(e);
        }
    }

    @Override
    public List<String> streams() {
        return pool.read(SqlReader::streams);
    }

    @Override
    public Extent extent(String stream) {
        return pool.read(reader -> reader.extent(stream));
    }

    @Override
    public Map<String, Long> heads() {
        return pool.read(SqlReader::heads);
    }

    @Override
    public Replay after(String stream, long seq, int limit, long bytes) {
        return pool.readLittleByLittle(reader -> reader.after(stream, seq, limit, bytes));
    }

    @Override
    public List<Event> history(String stream, String subject) {
        return pool.read(reader -> reader.history(stream, subject));
    }

    @Override
    public Optional<Event> byReference(String stream, String reference) {
        return pool.read(reader -> reader.byReference(stream, reference));
    }

    @Override
    public Optional<Summary> summary(String stream, String subject) {
        return pool.read(reader -> reader.summary(stream, subject));
    }

    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        return pool.read(reader -> reader.subjects(query, cursor, limit));
    }

    @Override
    public List<Summary> due(String stream, Instant until, int limit) {
        return pool.read(reader -> reader.due(stream, until, limit));
    }

    @Override
    public ChainPage chain(String stream, long after, int limit, long bytes) {
        return pool.readAtOnce(reader -> reader.chain(stream, after, limit, bytes));
    }

    @Override
    public long lostStreams() {
        return pool.read(SqlReader::lostStreams);
    }

    @Override
    public void close() {
        pool.close();
    }
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.EventSize;
import dev.gavel.ledger.ExportedEvent;
import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.SqlLedgerReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements the read operations that the writable and the read-only PostgreSQL ledger share, on pooled connections.
 * Thread-safe.
 */
abstract sealed class AbstractPostgresLedger implements ReadableLedger permits PostgresLedger, PostgresReadOnlyLedger {
    private static final String STREAM_EVENTS = """
            SELECT st.name, e.seq, e.at, s.name, e.type, e.actor, e.reference, e.body, e.hash, f.hash
            FROM event e JOIN subject s ON s.id = e.subject JOIN stream st ON st.id = e.stream
                LEFT JOIN forgotten f ON f.stream = e.stream AND f.last_seq = e.seq - 1
            WHERE e.stream = (SELECT id FROM stream WHERE name = ?) ORDER BY e.seq
            """;

    private final PostgresConnector connector;
    private final PostgresConnectionPool pool;

    AbstractPostgresLedger(PostgresConnector postgresConnector, PostgresOptions options) {
        this.connector = postgresConnector;
        this.pool = new PostgresConnectionPool(postgresConnector, options);
    }

    PostgresConnectionPool pool() {
        return pool;
    }

    PostgresConnector connector() {
        return connector;
    }

    /** Exports in one transaction, which sees one state of the database, and fetches a few rows at a time. */
    @Override
    public void export(Consumer<? super ExportedEvent> sink) {
        try (PostgresSession session = new PostgresSession(connector.connectForMaintenance())) {
            session.beginSnapshot();
            // The consumer of the export may pause; no other transaction waits for this one.
            session.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            SqlLedgerReader reader = new SqlLedgerReader(session, PostgresSession.QUERIES);
            for (String stream : reader.streams()) {
                session.forEachRow(
                        STREAM_EVENTS,
                        row -> sink.accept(new ExportedEvent(
                                reader.toEvent(row), HashChainReader.hash(row, 9), HashChainReader.hash(row, 10))),
                        stream);
            }
            session.commit();
        } catch (SQLException e) {
            throw PostgresConnectionPool.readFailure(e);
        }
    }

    @Override
    public List<String> streams() {
        return pool.read(SqlLedgerReader::streams);
    }

    @Override
    public RetainedStreamRange retainedRange(String stream) {
        return pool.read(reader -> reader.retainedRange(stream));
    }

    @Override
    public Map<String, Long> lastSeqs() {
        return pool.read(SqlLedgerReader::lastSeqs);
    }

    @Override
    public StreamReadResult eventsAfter(String stream, long seq, int limit, long bytes) {
        return pool.readInChunks(reader -> reader.eventsAfter(stream, seq, limit, bytes));
    }

    @Override
    public List<EventSize> eventSizesAfter(String stream, long seq, int limit) {
        return pool.read(reader -> reader.eventSizesAfter(stream, seq, limit));
    }

    @Override
    public List<LedgerEvent> history(String stream, String subject) {
        return pool.read(reader -> reader.history(stream, subject));
    }

    @Override
    public Optional<LedgerEvent> findByReference(String stream, String reference) {
        return pool.read(reader -> reader.findByReference(stream, reference));
    }

    @Override
    public Optional<SubjectSummary> summary(String stream, String subject) {
        return pool.read(reader -> reader.summary(stream, subject));
    }

    @Override
    public SubjectPage subjects(SubjectQuery query, @Nullable String cursor, int limit) {
        return pool.read(reader -> reader.subjects(query, cursor, limit));
    }

    @Override
    public List<SubjectSummary> dueSubjects(String stream, Instant until, int limit) {
        return pool.read(reader -> reader.dueSubjects(stream, until, limit));
    }

    @Override
    public OwnerUsage ownerUsage(String owner, Instant now, int starts) {
        return pool.read(reader -> reader.ownerUsage(owner, now, starts));
    }

    @Override
    public HashChainPage chainPage(String stream, long after, int limit, long bytes) {
        return pool.readSnapshot(reader -> reader.chainPage(stream, after, limit, bytes));
    }

    @Override
    public long missingStreamCount() {
        return pool.read(SqlLedgerReader::missingStreamCount);
    }

    @Override
    public void close() {
        pool.close();
    }
}

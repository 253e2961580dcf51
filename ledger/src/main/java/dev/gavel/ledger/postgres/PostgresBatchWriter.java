package dev.gavel.ledger.postgres;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Writes one batch to PostgreSQL with retries; if the reply to a commit is lost, checks whether the batch was stored. A
 * failure before the commit leaves nothing behind. After a commit with a lost reply, the writer first locks the
 * streams: then the earlier transaction has ended, and its last event is either stored or never will be. Not
 * thread-safe, used once.
 */
final class PostgresBatchWriter {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 250;

    private static final String LATE = "the ledger's database did not respond in time, so nothing was written";

    private final PostgresConnectionPool pool;
    private final Set<String> streams;
    private final Function<LedgerReader, LedgerBatch> decide;

    private final Duration retryTimeout;
    private final long writeDeadline;

    /** The marker of a commit whose reply was lost. */
    private Optional<UnconfirmedCommit> unconfirmed = Optional.empty();

    /**
     * The end of the time in which the lost commit is looked up. It counts from the moment the reply is given up,
     * because a network that fails silently is noticed later than {@link #writeDeadline}.
     */
    private long checkDeadline;

    PostgresBatchWriter(
            PostgresConnectionPool pool,
            Set<String> streams,
            Function<LedgerReader, LedgerBatch> decide,
            Duration timeout) {
        this.pool = pool;
        this.streams = streams;
        this.decide = decide;
        this.retryTimeout = timeout;
        this.writeDeadline = System.nanoTime() + timeout.toNanos();
        this.checkDeadline = writeDeadline;
    }

    CommitResult write() {
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return attempt() ? new CommitResult.Committed() : new CommitResult.Unavailable(LATE);
            } catch (SQLException e) {
                if (PostgresErrorClassifier.isDuplicateReference(e)) {
                    throw new IllegalArgumentException("a reference occurs twice in a stream", e);
                }
                boolean retry = unconfirmed.isPresent()
                        ? !isPast(checkDeadline)
                        : PostgresErrorClassifier.isTransient(e) && !isPast(writeDeadline);
                if (!retry) {
                    return new CommitResult.Unavailable(reason(e), PostgresErrorClassifier.detail(e));
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private static boolean isPast(long end) {
        return System.nanoTime() - end > 0;
    }

    private String reason(SQLException failure) {
        return PostgresErrorClassifier.reason(failure)
                + (unconfirmed.isPresent()
                        ? "; the connection was lost during the write, so it is unknown whether it succeeded"
                        : "");
    }

    private boolean attempt() throws SQLException {
        try (PostgresSession session = pool.borrow()) {
            try {
                return attempt(session);
            } catch (SQLException e) {
                if (PostgresErrorClassifier.breaksConnection(e)) {
                    session.discard();
                }
                throw e;
            }
        }
    }

    /** Tries to write the batch. Returns false if the write deadline has passed. */
    private boolean attempt(PostgresSession session) throws SQLException {
        session.begin();
        LockedStreamRows locked = lockStreams(session);
        if (unconfirmed.isPresent()) {
            if (unconfirmed.get().isStored(session)) {
                session.rollback();
                return true;
            }
            unconfirmed = Optional.empty();
            if (isPast(writeDeadline)) {
                session.rollback();
                return false;
            }
        }
        WriteTransactionReader reader = new WriteTransactionReader(session, locked);
        LedgerBatch batch = decideBatch(reader);
        if (batch.isEmpty()) {
            session.rollback();
            return true;
        }
        // A batch without events has only summaries, which can safely be written twice.
        unconfirmed = new PostgresBatchAppender(session, locked).append(batch);
        try {
            session.commit();
            return true;
        } catch (SQLException e) {
            if (PostgresErrorClassifier.isDefiniteRollback(e)) {
                unconfirmed = Optional.empty();
            }
            checkDeadline = System.nanoTime() + retryTimeout.toNanos();
            throw e;
        }
    }

    /**
     * Lets {@code decide} compute the batch. A read that failed meanwhile counts as a failure of the database, even if
     * {@code decide} handled it.
     */
    private LedgerBatch decideBatch(WriteTransactionReader reader) throws SQLException {
        try {
            LedgerBatch batch = decide.apply(reader);
            reader.throwIfFailed();
            return batch;
        } catch (LedgerException e) {
            reader.throwIfFailed();
            throw e;
        }
    }

    private LockedStreamRows lockStreams(PostgresSession session) throws SQLException {
        LockedStreamRows locked = lockRows(session);
        if (streams.contains(LedgerReader.IDENTITY_STREAM)) {
            session.execute(AdvisoryLockSql.IDENTITIES.lockForTransaction());
        }
        return locked;
    }

    private LockedStreamRows lockRows(PostgresSession session) throws SQLException {
        LockedStreamRows locked = LockedStreamRows.lock(session, streams);
        if (locked.containsAll(streams)) {
            return locked;
        }
        session.rollback();
        List<String> missing = new ArrayList<>(streams);
        missing.removeIf(name -> locked.find(name) != null);
        LockedStreamRows.create(session, missing);
        return LockedStreamRows.lock(session, streams);
    }
}

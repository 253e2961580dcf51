package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.LedgerFailure;
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
 * One batch being written, tried again for a while when the database fails. What failed before it was told to commit left
 * nothing behind. What became of a commit whose answer was lost is found out first: with the streams locked, the
 * transaction that was under way is over, and its last event is there or will never be. Not thread-safe, used once.
 */
final class Writing {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 250;

    private final Pool pool;
    private final Set<String> streams;
    private final Function<LedgerReader, Batch> decide;

    /** What was sent to be committed and never answered. */
    private Optional<Mark> unanswered = Optional.empty();

    Writing(Pool pool, Set<String> streams, Function<LedgerReader, Batch> decide) {
        this.pool = pool;
        this.streams = streams;
        this.decide = decide;
    }

    Commit write(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                attempt();
                return new Commit.Done();
            } catch (SQLException e) {
                if (Failures.isRepetition(e)) {
                    throw new IllegalArgumentException("a reference occurs twice in a stream", e);
                }
                if (!Failures.passes(e) || System.nanoTime() - end > 0) {
                    return new Commit.Unavailable(reason(e), Failures.detail(e));
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private String reason(SQLException failure) {
        return Failures.reason(failure)
                + (unanswered.isPresent()
                        ? "; it went away while it wrote, so send again under the same id to see whether it did"
                        : "");
    }

    private void attempt() throws SQLException {
        try (PostgresSession session = pool.take()) {
            try {
                attempt(session);
            } catch (SQLException e) {
                if (Failures.spoils(e)) {
                    session.discard();
                }
                throw e;
            }
        }
    }

    private void attempt(PostgresSession session) throws SQLException {
        session.begin();
        Streams locked = locked(session);
        if (unanswered.isPresent()) {
            if (unanswered.get().isIn(session)) {
                session.rollback();
                return;
            }
            unanswered = Optional.empty();
        }
        LockedReader reader = new LockedReader(session, locked);
        Batch batch = decided(reader);
        if (batch.isEmpty()) {
            session.rollback();
            return;
        }
        // Without an event there is only what can be written twice.
        unanswered = new Appending(session, locked).append(batch);
        try {
            session.commit();
        } catch (SQLException e) {
            if (Failures.isAnswer(e)) {
                unanswered = Optional.empty();
            }
            throw e;
        }
    }

    /** What failed while it was decided counts as the database's failure, whatever was made of it. */
    private Batch decided(LockedReader reader) throws SQLException {
        try {
            Batch batch = decide.apply(reader);
            reader.check();
            return batch;
        } catch (LedgerFailure e) {
            reader.check();
            throw e;
        }
    }

    private Streams locked(PostgresSession session) throws SQLException {
        Streams locked = Streams.lock(session, streams);
        if (locked.has(streams)) {
            return locked;
        }
        session.rollback();
        List<String> missing = new ArrayList<>(streams);
        missing.removeIf(name -> locked.find(name) != null);
        Streams.create(session, missing);
        return Streams.lock(session, streams);
    }
}

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

    private static final String LATE =
            "the ledger's database did not answer in time; nothing was written, and it can be sent again";

    private final Pool pool;
    private final Set<String> streams;
    private final Function<LedgerReader, Batch> decide;

    private final Duration patience;
    private final long ends;

    /** What was sent to be committed and never answered. */
    private Optional<Mark> unanswered = Optional.empty();

    /**
     * Until when it is asked what became of that. It counts from when the answer was given up: a network that fails silently
     * takes longer to show than writing is tried for.
     */
    private long lookingEnds;

    Writing(Pool pool, Set<String> streams, Function<LedgerReader, Batch> decide, Duration patience) {
        this.pool = pool;
        this.streams = streams;
        this.decide = decide;
        this.patience = patience;
        this.ends = System.nanoTime() + patience.toNanos();
        this.lookingEnds = ends;
    }

    Commit write() {
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return attempt() ? new Commit.Done() : new Commit.Unavailable(LATE);
            } catch (SQLException e) {
                if (Failures.isRepetition(e)) {
                    throw new IllegalArgumentException("a reference occurs twice in a stream", e);
                }
                boolean again = unanswered.isPresent() ? !over(lookingEnds) : Failures.passes(e) && !over(ends);
                if (!again) {
                    return new Commit.Unavailable(reason(e), Failures.detail(e));
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private static boolean over(long end) {
        return System.nanoTime() - end > 0;
    }

    private String reason(SQLException failure) {
        return Failures.reason(failure)
                + (unanswered.isPresent()
                        ? "; it went away while it wrote, so send again under the same id to see whether it did"
                        : "");
    }

    private boolean attempt() throws SQLException {
        try (PostgresSession session = pool.take()) {
            try {
                return attempt(session);
            } catch (SQLException e) {
                if (Failures.spoils(e)) {
                    session.discard();
                }
                throw e;
            }
        }
    }

    /** Writes it; whether it did, or it is too late for that. */
    private boolean attempt(PostgresSession session) throws SQLException {
        session.begin();
        Streams locked = locked(session);
        if (unanswered.isPresent()) {
            if (unanswered.get().isIn(session)) {
                session.rollback();
                return true;
            }
            unanswered = Optional.empty();
            if (over(ends)) {
                session.rollback();
                return false;
            }
        }
        LockedReader reader = new LockedReader(session, locked);
        Batch batch = decided(reader);
        if (batch.isEmpty()) {
            session.rollback();
            return true;
        }
        // Without an event there is only what can be written twice.
        unanswered = new Appending(session, locked).append(batch);
        try {
            session.commit();
            return true;
        } catch (SQLException e) {
            if (Failures.isAnswer(e)) {
                unanswered = Optional.empty();
            }
            lookingEnds = System.nanoTime() + patience.toNanos();
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

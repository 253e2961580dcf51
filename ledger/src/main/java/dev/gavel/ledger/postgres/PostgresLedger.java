package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.sql.Pruning;
import dev.gavel.ledger.sql.Rebuilding;
import dev.gavel.ledger.sql.SqlReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/** A ledger in a PostgreSQL database that any number of processes may use at the same time. Thread-safe. */
public final class PostgresLedger extends PostgresReading implements LedgerStore {
    private static final String PROBE = """
            UPDATE gavel_schema SET at = at WHERE version = (SELECT max(version) FROM gavel_schema)
            """;

    private static final String BYTES = """
            SELECT sum(pg_total_relation_size(to_regclass(name)))
            FROM unnest(ARRAY['event', 'subject', 'summary', 'stream', 'forgotten']) AS name
            """;

    /** Each takes a few questions to the database, and all who write wait for the last answer. */
    private static final int PRUNED_AT_ONCE = 50;

    private final PostgresOptions options;
    private final Presence presence;
    private final Duration patience;

    PostgresLedger(Connecting connecting, PostgresOptions options, Presence presence) {
        super(connecting, options);
        this.options = options;
        this.presence = presence;
        this.patience = options.patience();
    }

    /** Opens a database, and makes its tables where there are none; its schema is brought up to date. */
    public static PostgresOpening<PostgresLedger> open(PostgresOptions options) {
        return Doorway.open(options, Migrations.ALL);
    }

    @Override
    public Commit write(Set<String> streams, Function<LedgerReader, Batch> decide) {
        return new Writing(pool(), streams, decide, patience).write();
    }

    @Override
    public Commit probe() {
        try (PostgresSession session = pool().take()) {
            try {
                session.update(PROBE);
                return new Commit.Done();
            } catch (SQLException e) {
                if (Failures.spoils(e)) {
                    session.discard();
                }
                throw e;
            }
        } catch (SQLException e) {
            return new Commit.Unavailable(Failures.reason(e), Failures.detail(e));
        }
    }

    @Override
    public int prune(Instant endedBefore, int limit) {
        int pruned = 0;
        int last = PRUNED_AT_ONCE;
        while (last == PRUNED_AT_ONCE && pruned < limit) {
            int next = Math.min(PRUNED_AT_ONCE, limit - pruned);
            // All who write wait for it, so it has no more time than they have.
            last = maintaining(connecting()::quick, session -> {
                Streams.lockAll(session);
                return Pruning.prune(session, endedBefore, next);
            });
            pruned += last;
        }
        return pruned;
    }

    @Override
    public long rebuild(Projector projector) {
        return maintaining(connecting()::patient, session -> {
            Streams.lockAll(session);
            return Rebuilding.rebuild(session, new SqlReader(session, PostgresSession.QUESTIONS), projector);
        });
    }

    /** Who of the processes that use this ledger does what only one may do: to be closed before this. */
    public PostgresLeases leases() {
        return new PostgresLeases(connecting(), LeaseTimes.USUAL);
    }

    /**
     * 32 bytes that nobody can guess, and that all processes with this ledger get. What is kept of them is of no use without
     * the password of the database's user.
     */
    public byte[] secret(String name) {
        return new Secret(options, pool()).get(name);
    }

    /** How large its tables are on the database's disk. */
    public long bytes() {
        return pool().readBy(session -> session.number(BYTES));
    }

    @FunctionalInterface
    private interface Work<T> {
        T run(PostgresSession session) throws SQLException;
    }

    @FunctionalInterface
    private interface Door {
        Connection open() throws SQLException;
    }

    /** On a connection of its own. What fails is undone with the connection's end. */
    private static <T> T maintaining(Door door, Work<T> work) {
        try (PostgresSession session = new PostgresSession(door.open())) {
            session.begin();
            T result = work.run(session);
            session.commit();
            return result;
        } catch (SQLException e) {
            throw new LedgerFailure(Failures.reason(e), e);
        }
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            presence.close();
        }
    }
}

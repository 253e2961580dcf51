package dev.gavel.ledger.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * That this process uses the ledger, as long as it does: by a lock on a connection of its own, which other processes share
 * or find taken. A connection that was lost is made anew; whatever is found then, a process that runs goes on. It also
 * looks now and then whether the database's clock is ours. Thread-safe.
 */
final class Presence implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    /** A process that was just killed, or is just stopping, may be seen for a moment longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long PAUSE_MILLIS = 100;
    private static final long LOOK_SECONDS = 5;
    private static final int LOOKS_A_CLOCK_CHECK = 12;

    /** Deciding goes by each process's own clock. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final Connecting connecting;
    private final String take;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-ledger-presence").factory());
    private @Nullable PostgresSession session;
    private boolean refused;
    private int looks;

    private Presence(Connecting connecting, PostgresOptions options) {
        this.connecting = connecting;
        this.take = switch (options.use()) {
            case ALONE -> AdvisoryLock.USE.tryAlone();
            case SHARED -> AdvisoryLock.USE.tryShared();
        };
    }

    /** Enters; empty where somebody is there who does not go with it. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    static Optional<Presence> enter(Connecting connecting, PostgresOptions options) throws SQLException {
        Presence presence = new Presence(connecting, options);
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean entered = presence.enter();
        while (!entered && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            entered = presence.enter();
        }
        if (!entered) {
            presence.close();
            return Optional.empty();
        }
        presence.compareClocks();
        presence.looking.scheduleWithFixedDelay(presence::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        return Optional.of(presence);
    }

    private synchronized boolean enter() throws SQLException {
        Connection connection = connecting.quick();
        PostgresSession fresh = new PostgresSession(connection);
        try {
            if (fresh.first(take, row -> row.getBoolean(1)).orElse(false)) {
                session = fresh;
                return true;
            }
        } catch (SQLException e) {
            fresh.close();
            throw e;
        }
        fresh.close();
        return false;
    }

    private synchronized void look() {
        if (looking.isShutdown()) {
            return;
        }
        try {
            if (session == null) {
                enterAgain();
            } else {
                session.number("SELECT 1");
                looks++;
                if (looks % LOOKS_A_CLOCK_CHECK == 0) {
                    compareClocks();
                }
            }
        } catch (SQLException e) {
            if (session != null) {
                session.close();
            }
            session = null;
        }
    }

    private void enterAgain() throws SQLException {
        boolean entered = enter();
        if (!entered && !refused) {
            LOG.error(
                    "Another gateway has begun to use this ledger while its database was away, and the two do not hear of each other: set 'bus' in both, or stop one.");
        }
        refused = !entered;
    }

    /** Says in the log how far the clocks are apart, where that is too far. */
    private synchronized void compareClocks() throws SQLException {
        if (session == null) {
            return;
        }
        Instant before = Instant.now();
        double seconds = session.first("SELECT extract(epoch FROM clock_timestamp())", row -> row.getDouble(1))
                .orElseThrow();
        Instant after = Instant.now();
        Duration apart = Clocks.apart(before, after, Instant.ofEpochMilli(Math.round(seconds * 1000)));
        if (apart.compareTo(TOLERANCE) > 0) {
            LOG.warn(
                    "The clock of the ledger's database and ours are {} s apart. Proposals expire by each gateway's own: keep clocks together, with NTP for example.",
                    apart.toMillis() / 1000.0);
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
        synchronized (this) {
            if (session != null) {
                session.close();
                session = null;
            }
        }
    }
}

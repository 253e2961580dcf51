package dev.gavel.ledger.postgres;

import dev.gavel.ledger.lease.Leases;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases that are rows of the ledger's database: each ends by the database's clock unless it is renewed. One statement
 * renews all that are held and asks for all that are wanted. Two threads: one asks, and may hang with the database; the
 * other ends what could not be renewed, and never waits for anything. Thread-safe.
 */
public final class PostgresLeases implements Leases {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLeases.class);

    private static final int LONGEST_NAME = 200;
    private static final Duration GIVING_UP = Duration.ofSeconds(1);

    /**
     * Takes what is free, has run out or is ours, and says of each whose it is. A term goes on with its epoch if it is still
     * the one that is renewed; any other beginning is a new epoch. Rows are locked in the order of their names.
     */
    private static final String RENEW = """
            WITH wanted AS (
                SELECT name, epoch FROM unnest(?::text[], ?::text[]) AS wanted (name, known)
                    CROSS JOIN LATERAL (SELECT known::bigint AS epoch) AS number ORDER BY name
            ), taken AS (
                INSERT INTO lease (name, holder, epoch, expires_at)
                SELECT name, ?, epoch + 1, clock_timestamp() + make_interval(secs => ? / 1000.0) FROM wanted
                ON CONFLICT (name) DO UPDATE SET
                    epoch = CASE
                        WHEN lease.holder = excluded.holder AND lease.epoch = excluded.epoch - 1
                            AND lease.expires_at > clock_timestamp() THEN lease.epoch
                        ELSE greatest(lease.epoch + 1, excluded.epoch) END,
                    holder = excluded.holder,
                    expires_at = excluded.expires_at
                WHERE lease.holder = excluded.holder OR lease.expires_at <= clock_timestamp()
                RETURNING name, holder, epoch
            )
            SELECT name, holder, epoch FROM taken
            UNION ALL
            SELECT lease.name, CASE WHEN lease.expires_at > clock_timestamp() THEN lease.holder ELSE '' END, lease.epoch
            FROM lease WHERE lease.name IN (SELECT name FROM wanted) AND lease.name NOT IN (SELECT name FROM taken)
            """;

    /** It stays in the table: its epoch must not be used again. */
    private static final String GIVE_UP =
            "UPDATE lease SET expires_at = clock_timestamp() WHERE name = ANY (?::text[]) AND holder = ?";

    private final Connecting connecting;
    private final LeaseTimes times;
    private final String us;
    private final Map<String, HeldLease> leases = new ConcurrentHashMap<>();
    private final ScheduledExecutorService asking = executor("gavel-leases");
    private final ScheduledExecutorService ending = executor("gavel-leases-end");
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable PostgresSession session;

    PostgresLeases(Connecting connecting, LeaseTimes times) {
        this.connecting = connecting;
        this.times = times;
        this.us = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
        repeat(asking, this::renew, times.every());
        repeat(
                ending,
                () -> leases.values().forEach(HeldLease::endInTime),
                times.notice().dividedBy(4));
    }

    private static ScheduledExecutorService executor(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    private static void repeat(ScheduledExecutorService executor, Runnable work, Duration every) {
        executor.scheduleWithFixedDelay(work, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public Candidacy stand(String name, Holder holder) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("a lease's name has at most " + LONGEST_NAME + " characters: " + name);
        }
        HeldLease lease = new HeldLease(name, holder, times);
        if (leases.putIfAbsent(name, lease) != null) {
            throw new IllegalStateException("this process stands for '" + name + "' already");
        }
        asking.execute(this::renew);
        return new Candidacy() {
            @Override
            public String holder() {
                return lease.other();
            }

            @Override
            public void close() {
                if (leases.remove(name, lease)) {
                    lease.close();
                    giveUp(Set.of(name));
                }
            }
        };
    }

    /** Renews what is ours and asks for what is not. */
    private void renew() {
        List<HeldLease> wanted = leases.values().stream()
                .sorted(Comparator.comparing(HeldLease::name))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        long sent = System.nanoTime();
        try {
            Map<String, Answer> answers = ask(wanted);
            for (HeldLease each : wanted) {
                Answer answer = answers.get(each.name());
                if (answer != null && answer.holder.equals(us)) {
                    each.granted(answer.epoch, sent);
                } else {
                    each.taken(answer == null ? "" : answer.holder);
                }
            }
        } catch (SQLException e) {
            LOG.debug("leases could not be renewed: {}", e.getMessage());
            hangUp();
        } catch (RuntimeException e) {
            LOG.error("Leases could not be renewed.", e);
            hangUp();
        }
    }

    private Map<String, Answer> ask(List<HeldLease> wanted) throws SQLException {
        Map<String, Answer> answers = new HashMap<>();
        PostgresSession now = session();
        now.list(
                        RENEW,
                        row -> Map.entry(now.text(row, 1), new Answer(now.text(row, 2), row.getLong(3))),
                        wanted.stream().map(HeldLease::name).toList(),
                        wanted.stream()
                                .map(each -> Long.toString(each.renewing()))
                                .toList(),
                        us,
                        times.life().toMillis())
                .forEach(each -> answers.put(each.getKey(), each.getValue()));
        return answers;
    }

    private PostgresSession session() throws SQLException {
        if (session == null) {
            session = new PostgresSession(connecting.quick());
        }
        return session;
    }

    private void hangUp() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /** Lets others have them at once. Where the database cannot be told, they wait until the leases run out. */
    private void giveUp(Collection<String> names) {
        try {
            Future<?> told = asking.submit(() -> tellGivenUp(List.copyOf(names)));
            told.get(GIVING_UP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("leases could not be given up: {}", e.toString());
        }
    }

    private void tellGivenUp(List<String> names) {
        try {
            session().update(GIVE_UP, names, us);
        } catch (SQLException e) {
            LOG.debug("leases could not be given up: {}", e.getMessage());
            hangUp();
        }
    }

    /** Once is enough; whoever closes the ledger with everything of it may do so again. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        List<HeldLease> held = List.copyOf(leases.values());
        leases.clear();
        held.forEach(HeldLease::close);
        if (!held.isEmpty()) {
            giveUp(held.stream().map(HeldLease::name).toList());
        }
        ending.shutdownNow();
        asking.execute(this::hangUp);
        asking.shutdown();
    }

    private record Answer(String holder, long epoch) {}
}

package dev.gavel.ledger.postgres;

import dev.gavel.ledger.lease.LeaseService;
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
 * Grants leases through rows in the ledger's PostgreSQL database, so that only one process runs a task at a time. One
 * statement renews all held leases and tries all requested ones. There are two threads: one queries the database and
 * may block with it; the other expires leases that could not be renewed and never blocks. Thread-safe.
 */
public final class PostgresLeaseService implements LeaseService {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLeaseService.class);

    private static final int LONGEST_NAME = 200;
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(1);

    /**
     * Acquires each lease that is free, expired or held by this process, and returns the holder of each. A renewed term
     * keeps its epoch; any new term gets a higher one. Rows are locked in the order of their names.
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

    /** The row stays in the table, since its epoch must not be used again. */
    private static final String RELEASE =
            "UPDATE lease SET expires_at = clock_timestamp() WHERE name = ANY (?::text[]) AND holder = ?";

    private final PostgresConnector connector;
    private final LeaseTimings timings;
    private final String processId;
    private final Map<String, PostgresLease> leases = new ConcurrentHashMap<>();
    private final ScheduledExecutorService renewExecutor = executor("gavel-leases");
    private final ScheduledExecutorService expiryExecutor = executor("gavel-leases-end");
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable PostgresSession session;

    PostgresLeaseService(PostgresConnector postgresConnector, LeaseTimings times) {
        this.connector = postgresConnector;
        this.timings = times;
        this.processId = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
        repeat(renewExecutor, this::renew, times.renewInterval());
        repeat(
                expiryExecutor,
                () -> leases.values().forEach(PostgresLease::expireIfDue),
                times.stopNotice().dividedBy(4));
    }

    private static ScheduledExecutorService executor(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The task ends with the executor.
    private static void repeat(ScheduledExecutorService executor, Runnable work, Duration interval) {
        executor.scheduleWithFixedDelay(work, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public LeaseRequest request(String name, LeaseListener leaseListener) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "a lease's name can have at most " + LONGEST_NAME + " characters: " + name);
        }
        PostgresLease lease = new PostgresLease(name, leaseListener, timings);
        if (leases.putIfAbsent(name, lease) != null) {
            throw new IllegalStateException("this process already requested the lease '" + name + "'");
        }
        renewExecutor.execute(this::renew);
        return new LeaseRequest() {
            @Override
            public String otherHolder() {
                return lease.otherHolder();
            }

            @Override
            public void close() {
                if (leases.remove(name, lease)) {
                    lease.close();
                    release(Set.of(name));
                }
            }
        };
    }

    /** Renews the held leases and tries to acquire the others. */
    private void renew() {
        List<PostgresLease> requested = leases.values().stream()
                .sorted(Comparator.comparing(PostgresLease::name))
                .toList();
        if (requested.isEmpty()) {
            return;
        }
        long sentNanos = System.nanoTime();
        try {
            Map<String, LeaseRow> leaseRows = queryLeases(requested);
            for (PostgresLease each : requested) {
                LeaseRow leaseRow = leaseRows.get(each.name());
                if (leaseRow != null && leaseRow.holder.equals(processId)) {
                    each.onGranted(leaseRow.epoch, sentNanos);
                } else {
                    each.onHeldByOther(leaseRow == null ? "" : leaseRow.holder);
                }
            }
        } catch (SQLException e) {
            LOG.debug("Leases could not be renewed: {}", e.getMessage());
            disconnect();
        } catch (RuntimeException e) {
            LOG.error("Leases could not be renewed.", e);
            disconnect();
        }
    }

    private Map<String, LeaseRow> queryLeases(List<PostgresLease> requested) throws SQLException {
        Map<String, LeaseRow> leaseRows = new HashMap<>();
        PostgresSession current = session();
        current.list(
                        RENEW,
                        row -> Map.entry(current.text(row, 1), new LeaseRow(current.text(row, 2), row.getLong(3))),
                        requested.stream().map(PostgresLease::name).toList(),
                        requested.stream()
                                .map(each -> Long.toString(each.epochToRenew()))
                                .toList(),
                        processId,
                        timings.lifetime().toMillis())
                .forEach(each -> leaseRows.put(each.getKey(), each.getValue()));
        return leaseRows;
    }

    private PostgresSession session() throws SQLException {
        if (session == null) {
            session = new PostgresSession(connector.connectForQueries());
        }
        return session;
    }

    private void disconnect() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /**
     * Marks leases as expired, so that other processes can acquire them at once. If the database is unreachable, they
     * wait until the leases expire.
     */
    private void release(Collection<String> names) {
        try {
            Future<?> releaseTask = renewExecutor.submit(() -> updateReleased(List.copyOf(names)));
            releaseTask.get(RELEASE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("Leases could not be released: {}", e.toString());
        }
    }

    private void updateReleased(List<String> names) {
        try {
            session().update(RELEASE, names, processId);
        } catch (SQLException e) {
            LOG.debug("Leases could not be released: {}", e.getMessage());
            disconnect();
        }
    }

    /**
     * Closes the service once; further calls do nothing, since both the owner of the leases and the owner of the ledger
     * may call it.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        List<PostgresLease> closedLeases = List.copyOf(leases.values());
        leases.clear();
        closedLeases.forEach(PostgresLease::close);
        if (!closedLeases.isEmpty()) {
            release(closedLeases.stream().map(PostgresLease::name).toList());
        }
        expiryExecutor.shutdownNow();
        renewExecutor.execute(this::disconnect);
        renewExecutor.shutdown();
    }

    private record LeaseRow(String holder, long epoch) {}
}

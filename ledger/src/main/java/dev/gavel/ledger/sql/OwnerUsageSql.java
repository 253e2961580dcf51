package dev.gavel.ledger.sql;

import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The SQL that reads and records how much of a ledger each identity uses. Stateless. */
public final class OwnerUsageSql {
    /** The prefix of the gateway's own streams, whose subjects are not counted, and of its own name as an actor. */
    public static final String SYSTEM_PREFIX = "system:";

    static final String OPEN = """
            SELECT count(*), coalesce(sum((SELECT sum(length(e.body)) FROM event e
                WHERE e.subject = u.subject AND e.actor = ?)), 0)
            FROM summary u
            WHERE u.owner = ? AND u.open = 1 AND u.stream IN (SELECT id FROM stream WHERE name NOT LIKE 'system:%')
            """;

    static final String LATEST_STARTS = """
            SELECT u.started_at FROM summary u
            WHERE u.owner = ? AND u.stream IN (SELECT id FROM stream WHERE name NOT LIKE 'system:%')
            ORDER BY u.started_at DESC LIMIT ?
            """;

    static final String DAY = "SELECT bytes FROM written WHERE identity = ? AND day = ?";

    /** Adds bytes to those that an identity wrote on a day. */
    public static final String ADD = """
            INSERT INTO written (identity, day, bytes) VALUES (?, ?, ?)
            ON CONFLICT (identity, day) DO UPDATE SET bytes = written.bytes + excluded.bytes
            """;

    private static final long SECONDS_OF_DAY = 86_400;

    private OwnerUsageSql() {}

    /** Returns the number of a day since 1970, in UTC. */
    public static long day(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), SECONDS_OF_DAY);
    }

    /** Whether an identity caused an event, so that its bytes count for this identity. */
    public static boolean counts(LedgerEvent event) {
        return !event.actor().startsWith(SYSTEM_PREFIX);
    }

    /**
     * Returns the parameters of {@link #ADD} for the events of a batch. They are ordered by identity, so that two
     * transactions cannot deadlock.
     */
    public static List<@Nullable Object[]> parameters(LedgerBatch batch) {
        Map<String, Long> bytesByActor = new TreeMap<>();
        for (LedgerEvent event : batch.events()) {
            if (counts(event)) {
                bytesByActor.merge(event.actor(), (long) event.body().length(), Long::sum);
            }
        }
        if (bytesByActor.isEmpty()) {
            return List.of();
        }
        long day = day(batch.events().getFirst().at());
        return bytesByActor.entrySet().stream()
                .map(each -> new @Nullable Object[] {each.getKey(), day, each.getValue()})
                .toList();
    }
}

package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sql.OwnerUsageSql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Adds up how the tasks of one batch change each identity's usage of the ledger, so that each task sees the changes of
 * the tasks before it. Confined to the writer's thread.
 */
final class BatchUsage {
    private static final class Change {
        private int open;
        private long openBytes;
        private long bytes;
        private final List<Instant> starts = new ArrayList<>(0);
    }

    private final Map<String, Change> changes = new HashMap<>();

    /**
     * Adds a decision.
     *
     * @param after the changed subjects after the decision
     * @param before looks up a subject as it was before the decision
     */
    void add(
            Map<SubjectCacheEntry.Key, SubjectCacheEntry> after,
            Function<SubjectCacheEntry.Key, SubjectCacheEntry> before,
            List<LedgerEvent> events) {
        after.forEach((key, entry) -> {
            SubjectSummary summary = entry.summary();
            if (summary != null && !key.stream().startsWith(OwnerUsageSql.SYSTEM_PREFIX)) {
                SubjectCacheEntry earlier = before.apply(key);
                Change change = change(summary.owner());
                boolean wasOpen = earlier.summary() != null && earlier.summary().open();
                change.open += (summary.open() ? 1 : 0) - (wasOpen ? 1 : 0);
                change.openBytes +=
                        (summary.open() ? bytesOf(entry, summary) : 0) - (wasOpen ? bytesOf(earlier, summary) : 0);
                if (earlier.history().isEmpty()) {
                    change.starts.add(summary.startedAt());
                }
            }
        });
        for (LedgerEvent event : events) {
            if (OwnerUsageSql.counts(event)) {
                change(event.actor()).bytes += event.body().length();
            }
        }
    }

    private static long bytesOf(SubjectCacheEntry entry, SubjectSummary summary) {
        return entry.history().stream()
                .filter(event -> event.actor().equals(summary.owner()))
                .mapToLong(event -> event.body().length())
                .sum();
    }

    private Change change(String identity) {
        return changes.computeIfAbsent(identity, key -> new Change());
    }

    /** Returns the usage of an identity, with the changes of this batch. */
    OwnerUsage plusBatch(String owner, OwnerUsage durable) {
        Change change = changes.get(owner);
        return change == null ? durable : durable.plus(change.open, change.openBytes, change.starts, change.bytes);
    }
}

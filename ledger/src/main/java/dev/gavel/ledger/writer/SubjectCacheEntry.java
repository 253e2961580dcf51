package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger writer's cache entry for one subject, such as a proposal: its events, summary and approximate memory use.
 * Immutable.
 *
 * @param memoryBytes the approximate memory use in bytes
 */
record SubjectCacheEntry(
        List<LedgerEvent> history, @Nullable SubjectSummary summary, long memoryBytes) {
    /** The approximate memory use of an object besides its body, in bytes. */
    private static final long OVERHEAD = 400;

    static final SubjectCacheEntry EMPTY = new SubjectCacheEntry(List.of(), null, OVERHEAD);

    static SubjectCacheEntry of(List<LedgerEvent> history, @Nullable SubjectSummary summary) {
        long weight = OVERHEAD + memoryBytes(summary);
        for (LedgerEvent event : history) {
            weight += memoryBytes(event);
        }
        return new SubjectCacheEntry(List.copyOf(history), summary, weight);
    }

    SubjectCacheEntry plus(LedgerEvent event) {
        List<LedgerEvent> extended = new ArrayList<>(history.size() + 1);
        extended.addAll(history);
        extended.add(event);
        return new SubjectCacheEntry(List.copyOf(extended), summary, memoryBytes + memoryBytes(event));
    }

    SubjectCacheEntry with(SubjectSummary newSummary) {
        return new SubjectCacheEntry(history, newSummary, memoryBytes - memoryBytes(summary) + memoryBytes(newSummary));
    }

    /** Whether the subject has ended and is not due: such a subject rarely changes. */
    boolean hasEnded() {
        return summary != null && summary.endedAt() != null && summary.dueAt() == null;
    }

    private static long memoryBytes(LedgerEvent event) {
        return OVERHEAD + event.body().length();
    }

    private static long memoryBytes(@Nullable SubjectSummary summary) {
        return summary == null ? 0 : OVERHEAD + summary.body().length();
    }

    /** Identifies a subject. */
    record Key(String stream, String subject) {}
}

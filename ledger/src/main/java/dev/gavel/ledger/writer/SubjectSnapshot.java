package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events and summary of one subject as the ledger writer caches them, with their memory weight. Immutable.
 *
 * @param memoryBytes the approximate memory use in bytes
 */
record SubjectSnapshot(List<LedgerEvent> history, @Nullable SubjectSummary summary, long memoryBytes) {
    /** The approximate memory use of an object besides its body, in bytes. */
    private static final long OVERHEAD = 400;

    static final SubjectSnapshot EMPTY = new SubjectSnapshot(List.of(), null, OVERHEAD);

    static SubjectSnapshot of(List<LedgerEvent> history, @Nullable SubjectSummary summary) {
        long weight = OVERHEAD + memoryBytes(summary);
        for (LedgerEvent event : history) {
            weight += memoryBytes(event);
        }
        return new SubjectSnapshot(List.copyOf(history), summary, weight);
    }

    SubjectSnapshot plus(LedgerEvent event) {
        List<LedgerEvent> extended = new ArrayList<>(history.size() + 1);
        extended.addAll(history);
        extended.add(event);
        return new SubjectSnapshot(List.copyOf(extended), summary, memoryBytes + memoryBytes(event));
    }

    SubjectSnapshot with(SubjectSummary newSummary) {
        return new SubjectSnapshot(history, newSummary, memoryBytes - memoryBytes(summary) + memoryBytes(newSummary));
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

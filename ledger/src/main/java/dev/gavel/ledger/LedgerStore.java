package dev.gavel.ledger;

import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/**
 * The interface that a database backend implements to store a ledger: transactional writes, pruning and rebuilding of
 * summaries. Thread-safe. Whoever fulfils it passes {@code LedgerContract}, a test written against this port alone.
 */
public interface LedgerStore extends ReadableLedger {
    /**
     * Writes what is decided, all or nothing, durable on return. Nobody else writes to the streams named from before
     * {@code decide} is called until this returns, in whatever process: what its reader says holds. The events must
     * follow the last seq without a gap, and repeat no reference, or {@link IllegalArgumentException} is thrown and
     * nothing written; the same if {@code decide} throws.
     *
     * @param decide what to write, given what is durable. It may be called again if the database wants it so, and
     *     must use its reader only until it returns.
     */
    CommitResult write(Set<String> streams, Function<LedgerReader, LedgerBatch> decide);

    /** Writes something that means nothing, to see whether writing works. */
    CommitResult probe();

    /**
     * Forgets subjects that ended before a time and of which nothing is due, the longest ended first, at most so many.
     * The streams' first kept seq moves behind the last event forgotten. Of their events nothing stays but what the
     * chain needs: where they stood, and the last hash of those that stood side by side.
     *
     * @return how many were forgotten; fewer than the limit means no more are left
     */
    int prune(Instant endedBefore, int limit);

    /**
     * Makes all summaries anew from the events, one subject at a time. Readers see all the old ones or all the new ones;
     * writers wait.
     *
     * @return how many summaries there are now
     */
    long rebuildSummaries(SummaryProjector projector);

    /** Ends it; what was written stays. */
    @Override
    void close();
}

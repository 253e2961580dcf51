package dev.gavel.ledger;

import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/**
 * The interface that a database backend implements to store a ledger: writes batches in transactions, prunes old events
 * and rebuilds summaries. Every implementation passes {@code LedgerContract}, a test against this interface alone.
 * Thread-safe.
 */
public interface LedgerStore extends ReadableLedger {
    /**
     * Writes the batch that {@code decide} returns, all or nothing; it is durable on return. From before the call of
     * {@code decide} until this method returns, no other writer in any process writes to the named streams, so what the
     * reader returns stays true. The events must continue each stream's last seq without a gap and must not repeat a
     * reference; otherwise this method throws {@link IllegalArgumentException} and writes nothing. It writes nothing
     * either if {@code decide} throws.
     *
     * @param decide computes the batch from the durable state. The store may call it again if the database requires a
     *     retry. It must not use its reader after it has returned.
     */
    CommitResult write(Set<String> streams, Function<LedgerReader, LedgerBatch> decide);

    /** Writes a value that changes nothing, to check whether the database accepts writes. */
    CommitResult probe();

    /**
     * Deletes at most {@code limit} subjects that ended before a time and are not due, those that ended first first.
     * The first retained seq of their streams moves behind the last deleted event. Of the deleted events, the store
     * retains only what the hash chain needs: their seqs, and the hash of the last event of each run of adjacent ones.
     *
     * @return the number of deleted subjects; fewer than the limit means that none are left
     */
    int prune(Instant endedBefore, int limit);

    /**
     * Deletes the events of one stream up to and including a seq, and the subjects that have no later events and are
     * not open. It retains the same as {@link #prune} of the deleted events. Only for streams whose retention is
     * separate from that of proposals, so that {@link #prune} never deletes their subjects.
     */
    void pruneThrough(String stream, long seq);

    /**
     * Recomputes all summaries from the events, one subject at a time. Readers see either all old or all new summaries;
     * writers wait.
     *
     * @return the number of summaries after the rebuild
     */
    long rebuildSummaries(SummaryProjector projector);

    /** Closes the store; everything written stays stored. */
    @Override
    void close();
}

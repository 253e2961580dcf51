package dev.gavel.ledger.writer;

import java.time.Duration;

/**
 * Limits of the ledger writer: queue length, batch size, cache size and retry time. Immutable.
 *
 * @param maxQueuedTasks how many tasks may wait
 * @param maxQueuedBytes how much they may bring in all; a single one may bring more where none waits
 * @param maxBatchTasks how many tasks are committed together at most
 * @param maxBatchBytes how much these bring, about
 * @param cacheBytes roughly how much memory the histories kept at hand may take
 * @param retryAfter what to tell those who are turned away
 */
public record WriterOptions(
        int maxQueuedTasks,
        long maxQueuedBytes,
        int maxBatchTasks,
        long maxBatchBytes,
        long cacheBytes,
        Duration retryAfter) {
    public static final WriterOptions DEFAULT =
            new WriterOptions(8192, 32 << 20, 1024, 4 << 20, 16 << 20, Duration.ofSeconds(1));

    public WriterOptions {
        if (maxQueuedTasks < 1 || maxBatchTasks < 1) {
            throw new IllegalArgumentException("a writer needs room for a task");
        }
    }
}

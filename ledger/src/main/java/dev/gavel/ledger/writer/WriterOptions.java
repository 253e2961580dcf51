package dev.gavel.ledger.writer;

import java.time.Duration;

/**
 * Limits of the ledger writer: queue length, batch size, cache size and retry time. Immutable.
 *
 * @param maxQueuedTasks the maximum number of queued tasks
 * @param maxQueuedBytes the maximum number of bytes that queued tasks hold in total; a single task may hold more if the
 *     queue is empty
 * @param maxBatchTasks the maximum number of tasks in one commit
 * @param maxBatchBytes the approximate maximum number of bytes that the tasks of one commit hold
 * @param cacheBytes the approximate memory for cached subjects
 * @param retryAfter the retry time reported to submitters whose tasks are rejected or not written
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
            throw new IllegalArgumentException("the queue and the batch need room for at least one task");
        }
    }
}

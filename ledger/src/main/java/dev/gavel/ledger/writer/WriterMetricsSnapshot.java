package dev.gavel.ledger.writer;

import dev.gavel.ledger.metrics.Histogram;
import java.time.Duration;

/**
 * An immutable snapshot of the ledger writer's metrics since its start: tasks, events, commits, commit times and queue
 * length. Immutable.
 *
 * @param tasks tasks that were decided and got their result
 * @param events events made durable
 * @param commits batches made durable that had something to write
 * @param failedCommits batches that could not be made durable
 * @param refusedTasks tasks rejected because the queue was full or closed
 * @param commitTime the total time from the start of a batch with something to write until it was durable
 * @param commitTimes the distribution of these times
 * @param longestCommit the longest of these times
 * @param largestBatch the highest number of events in one commit
 * @param queuedTasks the tasks in the queue now
 */
public record WriterMetricsSnapshot(
        long tasks,
        long events,
        long commits,
        long failedCommits,
        long refusedTasks,
        Duration commitTime,
        Histogram.Snapshot commitTimes,
        Duration longestCommit,
        long largestBatch,
        int queuedTasks) {}

package dev.gavel.ledger.writer;

import dev.gavel.ledger.metrics.Histogram;
import java.time.Duration;

/**
 * The ledger writer's metrics since its start: tasks, events, commits, commit times and queue length. Immutable.
 *
 * @param tasks decided and told
 * @param events made durable
 * @param commits batches made durable that had something to write
 * @param failedCommits batches that could not be made durable
 * @param refusedTasks tasks turned away since the queue was full or closed
 * @param commitTime spent from the start of a batch with something to write until it was durable, in all
 * @param commitTimes the same, one by one
 * @param longestCommit the longest of these
 * @param largestBatch the most events made durable at once
 * @param queuedTasks tasks in the queue now
 */
public record WriterMetrics(
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

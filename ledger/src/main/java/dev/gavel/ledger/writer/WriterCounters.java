package dev.gavel.ledger.writer;

import dev.gavel.ledger.metrics.Histogram;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/** Counts tasks, events, commits and commit times for the ledger writer's metrics. Thread-safe. */
final class WriterCounters {
    private final AtomicLong tasks = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong failedCommits = new AtomicLong();
    private final AtomicLong refusedTasks = new AtomicLong();
    private final AtomicLong commitNanos = new AtomicLong();
    /** The bounds range from the time that memory takes to the time that a failing disk takes. */
    private final Histogram commitTimes =
            Histogram.ofSeconds(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5);

    private final LongAccumulator longestCommit = new LongAccumulator(Math::max, 0);
    private final LongAccumulator largestBatch = new LongAccumulator(Math::max, 0);

    void recordCommit(int taskCount, int eventCount, long nanos) {
        tasks.addAndGet(taskCount);
        if (eventCount > 0) {
            events.addAndGet(eventCount);
            commits.incrementAndGet();
            commitNanos.addAndGet(nanos);
            commitTimes.addNanos(nanos);
            longestCommit.accumulate(nanos);
            largestBatch.accumulate(eventCount);
        }
    }

    void recordFailure(int taskCount) {
        tasks.addAndGet(taskCount);
        failedCommits.incrementAndGet();
    }

    void recordRefusal() {
        refusedTasks.incrementAndGet();
    }

    WriterMetricsSnapshot snapshot(int queuedTasks) {
        return new WriterMetricsSnapshot(
                tasks.get(),
                events.get(),
                commits.get(),
                failedCommits.get(),
                refusedTasks.get(),
                Duration.ofNanos(commitNanos.get()),
                commitTimes.snapshot(),
                Duration.ofNanos(longestCommit.get()),
                largestBatch.get(),
                queuedTasks);
    }
}

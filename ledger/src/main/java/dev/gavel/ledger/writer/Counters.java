package dev.gavel.ledger.writer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/** Counts for {@link Measures}. Thread-safe. */
final class Counters {
    private final AtomicLong tasks = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong failedCommits = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong commitNanos = new AtomicLong();
    private final LongAccumulator longestCommit = new LongAccumulator(Math::max, 0);
    private final LongAccumulator largestBatch = new LongAccumulator(Math::max, 0);

    void committed(int tasksTold, int eventsWritten, long nanos) {
        tasks.addAndGet(tasksTold);
        if (eventsWritten > 0) {
            events.addAndGet(eventsWritten);
            commits.incrementAndGet();
            commitNanos.addAndGet(nanos);
            longestCommit.accumulate(nanos);
            largestBatch.accumulate(eventsWritten);
        }
    }

    void failed(int tasksTold) {
        tasks.addAndGet(tasksTold);
        failedCommits.incrementAndGet();
    }

    void refused() {
        refused.incrementAndGet();
    }

    Measures measures(int waiting) {
        return new Measures(
                tasks.get(),
                events.get(),
                commits.get(),
                failedCommits.get(),
                refused.get(),
                Duration.ofNanos(commitNanos.get()),
                Duration.ofNanos(longestCommit.get()),
                largestBatch.get(),
                waiting);
    }
}

package dev.gavel.ledger.writer;

import dev.gavel.ledger.AppendedRange;
import dev.gavel.ledger.BackgroundThread;
import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs submitted tasks in order on one thread and commits their events to the ledger store in batches. The order in
 * which tasks are submitted is the order in which they are decided and told. Thread-safe.
 */
public final class LedgerWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);

    private final LedgerStore store;
    private final InstantSource clock;
    private final WriterOptions options;
    private final WriterTaskQueue taskQueue;
    private final SubjectCache cache;
    private final WriterCounters counters = new WriterCounters();
    private final BackgroundThread backgroundThread;
    private volatile boolean available = true;
    private volatile Consumer<? super AppendedRange> appendListener = appendedRange -> {};

    /** A writer to a store, which stays the caller's to close, after this. */
    public LedgerWriter(LedgerStore store, InstantSource clock, WriterOptions options) {
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.taskQueue = new WriterTaskQueue(options);
        this.cache = new SubjectCache(options.cacheBytes());
        this.backgroundThread = BackgroundThread.start("gavel-ledger", this::run);
    }

    /**
     * Has a task decided in its turn.
     *
     * @param then told once, when what was decided is durable or will not be: on the writer's thread, which it must not
     *     hold up. Where there is no room for the task it is told at once, on the caller's.
     */
    public <R> void submit(String stream, WriterTask<R> task, Consumer<? super WriteResult<R>> then) {
        submit(stream, 0, task, then);
    }

    /**
     * As {@link #submit(String, WriterTask, Consumer)}, for a task that holds so many bytes while it waits: there is room for
     * only so many in all.
     */
    public <R> void submit(String stream, int bytes, WriterTask<R> task, Consumer<? super WriteResult<R>> then) {
        SubmittedTask<R> submittedTask = new SubmittedTask<>(stream, bytes, task, then);
        switch (taskQueue.offer(submittedTask)) {
            case ACCEPTED -> {}
            case FULL -> reject(submittedTask, "the ledger has more to write than it can; try again");
            case CLOSED -> reject(submittedTask, "the ledger is closing");
        }
    }

    /**
     * Has somebody told of everything written from now on, before those who submitted it are told: on the writer's thread,
     * which must not be held up.
     */
    public void onAppend(Consumer<? super AppendedRange> listener) {
        appendListener = listener;
    }

    /** What was done so far. */
    public WriterMetrics metrics() {
        return counters.snapshot(taskQueue.size());
    }

    private <R> void reject(SubmittedTask<R> submittedTask, String reason) {
        counters.recordRefusal();
        submittedTask.complete(new WriteResult.Unavailable<>(reason, options.retryAfter()));
    }

    /** Whether the last thing that was to be written could be. While it could not, that is tried now and then. */
    public boolean isAvailable() {
        return available;
    }

    private void run() {
        while (!taskQueue.isFinished()) {
            List<SubmittedTask<?>> taken = available
                    ? taskQueue.takeBatch()
                    : taskQueue.takeBatch(options.retryAfter().toNanos());
            if (!taken.isEmpty()) {
                write(taken);
            } else if (!available) {
                available = probe() instanceof CommitResult.Committed;
                if (available) {
                    logAvailable();
                }
            }
        }
    }

    private static void logAvailable() {
        LOG.atInfo().addKeyValue("available", true).log("The ledger can be written to again.");
    }

    private CommitResult probe() {
        try {
            return store.probe();
        } catch (RuntimeException e) {
            return new CommitResult.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    private void write(List<SubmittedTask<?>> taken) {
        Set<String> streams = taken.stream().map(SubmittedTask::stream).collect(Collectors.toSet());
        long start = System.nanoTime();
        Attempt attempt = new Attempt(taken);
        switch (commit(streams, attempt)) {
            case CommitResult.Committed() -> {
                int events = attempt.onCommit();
                if (!available && events > 0) {
                    available = true;
                    logAvailable();
                }
                counters.recordCommit(taken.size(), events, System.nanoTime() - start);
                attempt.appendedRanges().forEach(this::notifyAppended);
                taken.forEach(SubmittedTask::complete);
            }
            case CommitResult.Unavailable(String reason, String detail) -> {
                counters.recordFailure(taken.size());
                if (available) {
                    LOG.atError()
                            .addKeyValue("available", false)
                            .addKeyValue("reason", reason)
                            .log(
                                    "The ledger cannot be written to: {}{}. Trying again until it can.",
                                    reason,
                                    detail.isEmpty() ? "" : ": " + detail);
                }
                available = false;
                taken.forEach(submittedTask -> fail(submittedTask, reason));
            }
        }
    }

    private void notifyAppended(AppendedRange appendedRange) {
        try {
            appendListener.accept(appendedRange);
        } catch (RuntimeException e) {
            LOG.error("What was written could not be announced.", e);
        }
    }

    /**
     * The writer outlives whatever a store throws: those who wait are told, and the next batch is tried. They are not told
     * what exactly: it may be about what others wanted written.
     */
    private CommitResult commit(Set<String> streams, Attempt attempt) {
        try {
            return store.write(streams, attempt::decide);
        } catch (Throwable e) {
            LOG.error("A batch could not be written to the ledger.", e);
            return new CommitResult.Unavailable("the ledger failed; the gateway's log says how");
        }
    }

    private <R> void fail(SubmittedTask<R> submittedTask, String reason) {
        submittedTask.complete(new WriteResult.Unavailable<>(reason, options.retryAfter()));
    }

    /** Takes no more tasks, and returns when those taken have been told. */
    @Override
    public void close() {
        taskQueue.close();
        backgroundThread.joinUninterruptibly();
    }

    /**
     * As {@link #close()}, but tasks that still wait after a time, or when the caller is interrupted, are not done: they are
     * told so.
     */
    public void close(Duration patience) {
        taskQueue.close();
        if (!backgroundThread.joinWithin(patience)) {
            taskQueue.drain().forEach(each -> reject(each, "the ledger is closing"));
        }
        backgroundThread.joinUninterruptibly();
    }

    /** The batch being written. A store may want it decided more than once: only the last time counts. */
    private final class Attempt {
        private final List<SubmittedTask<?>> tasks;
        private @Nullable BatchBuilder last;

        Attempt(List<SubmittedTask<?>> taken) {
            this.tasks = taken;
        }

        LedgerBatch decide(LedgerReader durable) {
            BatchBuilder batchBuilder = new BatchBuilder(durable, cache, clock.instant());
            for (SubmittedTask<?> submittedTask : tasks) {
                submittedTask.decide(batchBuilder, options.retryAfter());
            }
            last = batchBuilder;
            return batchBuilder.batch();
        }

        int onCommit() {
            if (last == null) {
                throw new IllegalStateException("a store wrote without asking what");
            }
            last.updateCache();
            return last.eventCount();
        }

        List<AppendedRange> appendedRanges() {
            return last == null ? List.of() : last.appendedRanges();
        }
    }
}

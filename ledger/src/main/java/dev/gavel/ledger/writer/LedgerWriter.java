package dev.gavel.ledger.writer;

import dev.gavel.ledger.AppendedRange;
import dev.gavel.ledger.BackgroundThread;
import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.FreeSpaceProbe;
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
 * Runs submitted tasks in order on one thread and commits their events to the ledger store in batches. Tasks are
 * decided, and their results reported, in the order of submission. Thread-safe.
 */
public final class LedgerWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LedgerWriter.class);

    private static final String LOW_SPACE =
            "the disk of the ledger is almost full, and the remaining space is reserved for revocations";

    private final LedgerStore store;
    private final InstantSource clock;
    private final WriterOptions options;
    private final WriterTaskQueue taskQueue;
    private final SubjectCache cache;
    private final WriterCounters counters = new WriterCounters();
    private final BackgroundThread backgroundThread;
    private final FreeSpaceProbe freeSpaceProbe;
    private volatile boolean available = true;

    /** Whether only essential tasks are written, because the disk is almost full. */
    private volatile boolean lowSpace;

    private volatile Consumer<? super AppendedRange> appendListener = appendedRange -> {};

    /** Creates a writer. The caller keeps ownership of the store, and closes it after this writer. */
    public LedgerWriter(LedgerStore store, InstantSource clock, WriterOptions options) {
        this(store, clock, options, FreeSpaceProbe.UNKNOWN);
    }

    /** Creates a writer that writes only essential tasks while the probe reports little free space. */
    public LedgerWriter(LedgerStore store, InstantSource clock, WriterOptions options, FreeSpaceProbe freeSpaceProbe) {
        this.freeSpaceProbe = freeSpaceProbe;
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.taskQueue = new WriterTaskQueue(options);
        this.cache = new SubjectCache(options.cacheBytes());
        this.backgroundThread = BackgroundThread.start("gavel-ledger", this::run);
    }

    /**
     * Submits a task, which is decided in the order of submission.
     *
     * @param callback called once, when the decision is durable or has failed. It runs on the writer's thread, which it
     *     must not block. If the queue is full or closed, it runs at once on the caller's thread.
     */
    public <R> void submit(String stream, WriterTask<R> task, Consumer<? super WriteResult<R>> callback) {
        submit(stream, 0, task, callback);
    }

    /**
     * As {@link #submit(String, WriterTask, Consumer)}, for a task that holds {@code bytes} bytes while it is queued;
     * the total for all queued tasks is limited.
     */
    public <R> void submit(String stream, int bytes, WriterTask<R> task, Consumer<? super WriteResult<R>> callback) {
        enqueue(new SubmittedTask<>(stream, bytes, false, task, callback));
    }

    /**
     * As {@link #submit(String, WriterTask, Consumer)}, for a small task that ends access, such as a revocation. It is
     * written even if the disk is almost full.
     */
    public <R> void submitEssential(String stream, WriterTask<R> task, Consumer<? super WriteResult<R>> callback) {
        enqueue(new SubmittedTask<>(stream, 0, true, task, callback));
    }

    private <R> void enqueue(SubmittedTask<R> submittedTask) {
        switch (taskQueue.offer(submittedTask)) {
            case ACCEPTED -> {}
            case FULL -> refuse(submittedTask, "the ledger's write queue is full; try again later");
            case CLOSED -> refuse(submittedTask, "the ledger is closing");
        }
    }

    /**
     * Sets the listener for appended ranges. It is called before the submitters get their results, on the writer's
     * thread, which it must not block.
     */
    public void setAppendListener(Consumer<? super AppendedRange> listener) {
        appendListener = listener;
    }

    /** Returns the metrics since the start. */
    public WriterMetricsSnapshot metrics() {
        return counters.snapshot(taskQueue.size());
    }

    private <R> void refuse(SubmittedTask<R> submittedTask, String reason) {
        counters.recordRefusal();
        submittedTask.complete(new WriteResult.Unavailable<>(reason, options.retryAfter()));
    }

    /**
     * Whether the last write succeeded and the disk has enough free space. While it is false, the writer probes the
     * store at intervals.
     */
    public boolean isAvailable() {
        return available && !lowSpace;
    }

    private void run() {
        while (!taskQueue.isFinished()) {
            List<SubmittedTask<?>> batch = isAvailable()
                    ? taskQueue.takeBatch()
                    : taskQueue.takeBatch(options.retryAfter().toNanos());
            List<SubmittedTask<?>> writable = withoutOrdinaryIfLow(batch);
            if (!writable.isEmpty()) {
                write(writable);
            } else if (!available) {
                available = probe() instanceof CommitResult.Committed;
                if (available) {
                    logAvailable();
                }
            }
        }
    }

    /** Refuses the ordinary tasks of a batch if the disk is almost full, and returns the others. */
    private List<SubmittedTask<?>> withoutOrdinaryIfLow(List<SubmittedTask<?>> batch) {
        boolean low = freeSpaceProbe.isLow();
        if (low != lowSpace) {
            lowSpace = low;
            if (low) {
                log.atError()
                        .addKeyValue("available", false)
                        .log("The ledger is unavailable: {}. Revocations can still be written.", LOW_SPACE);
            } else {
                logAvailable();
            }
        }
        if (!low) {
            return batch;
        }
        List<SubmittedTask<?>> essential =
                batch.stream().filter(SubmittedTask::isEssential).toList();
        batch.stream()
                .filter(submittedTask -> !submittedTask.isEssential())
                .forEach(submittedTask -> refuse(submittedTask, LOW_SPACE));
        return essential;
    }

    private static void logAvailable() {
        log.atInfo().addKeyValue("available", true).log("The ledger is available again.");
    }

    private CommitResult probe() {
        try {
            return store.probe();
        } catch (RuntimeException e) {
            return new CommitResult.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    private void write(List<SubmittedTask<?>> batch) {
        Set<String> streams = batch.stream().map(SubmittedTask::stream).collect(Collectors.toSet());
        long start = System.nanoTime();
        BatchAttempt attempt = new BatchAttempt(batch);
        switch (commit(streams, attempt)) {
            case CommitResult.Committed() -> {
                int events = attempt.onCommit();
                if (!available && events > 0) {
                    available = true;
                    logAvailable();
                }
                counters.recordCommit(batch.size(), events, System.nanoTime() - start);
                attempt.appendedRanges().forEach(this::notifyAppended);
                batch.forEach(SubmittedTask::complete);
            }
            case CommitResult.Unavailable(String reason, String detail) -> {
                counters.recordFailure(batch.size());
                if (available) {
                    log.atError()
                            .addKeyValue("available", false)
                            .addKeyValue("reason", reason)
                            .log(
                                    "The ledger is unavailable: {}{}. Trying again until it is available.",
                                    reason,
                                    detail.isEmpty() ? "" : ": " + detail);
                }
                available = false;
                batch.forEach(submittedTask -> fail(submittedTask, reason));
            }
        }
    }

    private void notifyAppended(AppendedRange appendedRange) {
        try {
            appendListener.accept(appendedRange);
        } catch (RuntimeException e) {
            log.error("The append listener failed.", e);
        }
    }

    /**
     * Writes a batch. The writer survives anything a store throws: the submitters get a failure, and the next batch is
     * tried. The failure has no details, since these may contain data of other submitters.
     */
    private CommitResult commit(Set<String> streams, BatchAttempt attempt) {
        try {
            return store.write(streams, attempt::decide);
        } catch (Throwable e) {
            log.error("A batch could not be written to the ledger.", e);
            return new CommitResult.Unavailable("writing to the ledger failed; see the gateway's log");
        }
    }

    private <R> void fail(SubmittedTask<R> submittedTask, String reason) {
        submittedTask.complete(new WriteResult.Unavailable<>(reason, options.retryAfter()));
    }

    /** Accepts no more tasks, and returns when all accepted tasks have their results. */
    @Override
    public void close() {
        taskQueue.close();
        backgroundThread.joinUninterruptibly();
    }

    /**
     * As {@link #close()}, but after {@code timeout}, or when the caller is interrupted, tasks that are still queued
     * are rejected.
     */
    public void close(Duration timeout) {
        taskQueue.close();
        if (!backgroundThread.joinWithin(timeout)) {
            taskQueue.drain().forEach(each -> refuse(each, "the ledger is closing"));
        }
        backgroundThread.joinUninterruptibly();
    }

    /** The batch being written. A store may call {@link #decide} more than once; only the last call counts. */
    private final class BatchAttempt {
        private final List<SubmittedTask<?>> tasks;
        private @Nullable BatchBuilder lastBuilder;

        BatchAttempt(List<SubmittedTask<?>> batch) {
            this.tasks = batch;
        }

        LedgerBatch decide(LedgerReader reader) {
            BatchBuilder batchBuilder = new BatchBuilder(reader, cache, clock.instant());
            for (SubmittedTask<?> submittedTask : tasks) {
                submittedTask.decide(batchBuilder, options.retryAfter());
            }
            lastBuilder = batchBuilder;
            return batchBuilder.batch();
        }

        int onCommit() {
            if (lastBuilder == null) {
                throw new IllegalStateException("the store committed a batch without building it");
            }
            lastBuilder.updateCache();
            return lastBuilder.eventCount();
        }

        List<AppendedRange> appendedRanges() {
            return lastBuilder == null ? List.of() : lastBuilder.appendedRanges();
        }
    }
}

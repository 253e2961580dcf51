package dev.gavel.ledger.writer;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Growth;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Worker;
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
 * Writes to a ledger for everybody in this process, one batch after the other: while one is being made durable, the next
 * gathers. The order in which tasks are submitted is the order in which they are decided and told. Thread-safe.
 */
public final class LedgerWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);

    private final LedgerStore store;
    private final InstantSource clock;
    private final WriterOptions options;
    private final Submissions submissions;
    private final Cache cache;
    private final Counters counters = new Counters();
    private final Worker worker;
    private volatile boolean available = true;
    private volatile Consumer<? super Growth> written = growth -> {};

    /** A writer to a store, which stays the caller's to close, after this. */
    public LedgerWriter(LedgerStore store, InstantSource clock, WriterOptions options) {
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.submissions = new Submissions(options);
        this.cache = new Cache(options.cacheBytes());
        this.worker = Worker.start("gavel-ledger", this::run);
    }

    /**
     * Has a task decided in its turn.
     *
     * @param then told once, when what was decided is durable or will not be: on the writer's thread, which it must not
     *     hold up. Where there is no room for the task it is told at once, on the caller's.
     */
    public <R> void submit(String stream, Task<R> task, Consumer<? super Outcome<R>> then) {
        submit(stream, 0, task, then);
    }

    /**
     * As {@link #submit(String, Task, Consumer)}, for a task that holds so many bytes while it waits: there is room for
     * only so many in all.
     */
    public <R> void submit(String stream, int bytes, Task<R> task, Consumer<? super Outcome<R>> then) {
        Submission<R> submission = new Submission<>(stream, bytes, task, then);
        switch (submissions.offer(submission)) {
            case LET_IN -> {}
            case FULL -> refuse(submission, "the ledger has more to write than it can; try again");
            case CLOSED -> refuse(submission, "the ledger is closing");
        }
    }

    /**
     * Has somebody told of everything written from now on, before those who submitted it are told: on the writer's thread,
     * which must not be held up.
     */
    public void whenWritten(Consumer<? super Growth> listener) {
        written = listener;
    }

    /** What was done so far. */
    public Measures measures() {
        return counters.measures(submissions.size());
    }

    private <R> void refuse(Submission<R> submission, String reason) {
        counters.refused();
        submission.tell(new Outcome.Unavailable<>(reason, options.retryAfter()));
    }

    /** Whether the last thing that was to be written could be. While it could not, that is tried now and then. */
    public boolean available() {
        return available;
    }

    private void run() {
        while (!submissions.over()) {
            List<Submission<?>> taken = available
                    ? submissions.take()
                    : submissions.take(options.retryAfter().toNanos());
            if (!taken.isEmpty()) {
                write(taken);
            } else if (!available) {
                available = probe() instanceof Commit.Done;
                if (available) {
                    back();
                }
            }
        }
    }

    private static void back() {
        LOG.atInfo().addKeyValue("available", true).log("The ledger can be written to again.");
    }

    private Commit probe() {
        try {
            return store.probe();
        } catch (RuntimeException e) {
            return new Commit.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    private void write(List<Submission<?>> taken) {
        Set<String> streams = taken.stream().map(Submission::stream).collect(Collectors.toSet());
        long start = System.nanoTime();
        Attempt attempt = new Attempt(taken);
        switch (commit(streams, attempt)) {
            case Commit.Done() -> {
                int events = attempt.succeed();
                if (!available && events > 0) {
                    available = true;
                    back();
                }
                counters.committed(taken.size(), events, System.nanoTime() - start);
                attempt.growths().forEach(this::announce);
                taken.forEach(Submission::tell);
            }
            case Commit.Unavailable(String reason, String detail) -> {
                counters.failed(taken.size());
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
                taken.forEach(submission -> fail(submission, reason));
            }
        }
    }

    private void announce(Growth growth) {
        try {
            written.accept(growth);
        } catch (RuntimeException e) {
            LOG.error("What was written could not be announced.", e);
        }
    }

    /**
     * The writer outlives whatever a store throws: those who wait are told, and the next batch is tried. They are not told
     * what exactly: it may be about what others wanted written.
     */
    private Commit commit(Set<String> streams, Attempt attempt) {
        try {
            return store.write(streams, attempt::decide);
        } catch (Throwable e) {
            LOG.error("A batch could not be written to the ledger.", e);
            return new Commit.Unavailable("the ledger failed; the gateway's log says how");
        }
    }

    private <R> void fail(Submission<R> submission, String reason) {
        submission.tell(new Outcome.Unavailable<>(reason, options.retryAfter()));
    }

    /** Takes no more tasks, and returns when those taken have been told. */
    @Override
    public void close() {
        submissions.close();
        worker.awaitEnd();
    }

    /**
     * As {@link #close()}, but tasks that still wait after a time, or when the caller is interrupted, are not done: they are
     * told so.
     */
    public void close(Duration patience) {
        submissions.close();
        if (!worker.endsWithin(patience)) {
            submissions.abandon().forEach(each -> refuse(each, "the ledger is closing"));
        }
        worker.awaitEnd();
    }

    /** The batch being written. A store may want it decided more than once: only the last time counts. */
    private final class Attempt {
        private final List<Submission<?>> taken;
        private @Nullable Deciding last;

        Attempt(List<Submission<?>> taken) {
            this.taken = taken;
        }

        Batch decide(LedgerReader durable) {
            Deciding deciding = new Deciding(durable, cache, clock.instant());
            for (Submission<?> submission : taken) {
                submission.decide(deciding, options.retryAfter());
            }
            last = deciding;
            return deciding.batch();
        }

        int succeed() {
            if (last == null) {
                throw new IllegalStateException("a store wrote without asking what");
            }
            last.keep();
            return last.eventCount();
        }

        List<Growth> growths() {
            return last == null ? List.of() : last.growths();
        }
    }
}

package dev.gavel.ledger.executor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of many owners, which are identities or the server itself, on a few threads. The owners take turns, and
 * no identity uses all threads, so an identity with many or slow tasks delays only its own tasks. Thread-safe.
 */
public final class FairExecutor implements Executor {
    private static final Logger log = LoggerFactory.getLogger(FairExecutor.class);

    /** The owner of the server's own tasks; no identity has an empty id. */
    private static final String SERVER = "";

    private final Executor pool;
    private final int threads;
    private final int maxPending;

    private final Map<String, Owner> owners = new HashMap<>();

    /** The owners that have a waiting task and may use one more thread, the next one first. */
    private final Deque<Owner> ready = new ArrayDeque<>();

    /** How many threads run tasks now. */
    private int workers;

    private boolean shutdown;

    private FairExecutor(Executor pool, int threads, int maxPending) {
        this.pool = pool;
        this.threads = threads;
        this.maxPending = maxPending;
    }

    /**
     * Creates an executor with daemon threads.
     *
     * @param name the prefix of the names of the threads
     * @param maxPending how many submitted tasks of one owner may be pending
     */
    public static FairExecutor start(String name, int threads, int maxPending) {
        return new FairExecutor(
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().daemon().name(name, 0).factory()),
                threads,
                maxPending);
    }

    /** Creates an executor without limits that runs all tasks on another executor, for tests. */
    public static FairExecutor unlimited(Executor pool) {
        return new FairExecutor(pool, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** An identity or the server, and its tasks. Guarded by the executor's lock. */
    private final class Owner {
        final String id;
        final SequencedSet<Task<?>> waiting = new LinkedHashSet<>();
        int running;

        /** Submitted tasks without a result. */
        int pending;

        Owner(String id) {
            this.id = id;
        }

        /** Leaves one thread for the other owners, if there are several threads. */
        boolean mayRunOneMore() {
            return id.equals(SERVER) || running < Math.max(1, threads - 1);
        }

        void removeIfIdle() {
            if (waiting.isEmpty() && running == 0 && pending == 0) {
                owners.remove(id);
            }
        }
    }

    /** A task that waits or runs. */
    private final class Task<T> {
        final Owner owner;
        final boolean counted;
        final QueuedResult<T> result = new QueuedResult<>(() -> drop(this));
        private @Nullable Supplier<CompletionStage<T>> action;

        Task(Owner owner, boolean counted, Supplier<CompletionStage<T>> action) {
            this.owner = owner;
            this.counted = counted;
            this.action = action;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // completes the result
        void run() {
            Supplier<CompletionStage<T>> started = action;
            action = null;
            CompletionStage<T> stage;
            try {
                stage = started == null ? CompletableFuture.failedStage(new CancellationException()) : started.get();
            } catch (RuntimeException | Error e) {
                stage = CompletableFuture.failedStage(e);
            }
            stage.whenComplete((value, failure) -> {
                onComplete(this);
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(
                            failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                    ? wrapped.getCause()
                                    : failure);
                }
            });
        }
    }

    /** Runs a task of the server. It is never refused. */
    @Override
    public void execute(Runnable task) {
        execute(SERVER, task);
    }

    /** Runs a task of an owner that is bounded elsewhere. It is refused only after a shutdown. */
    public void execute(String owner, Runnable task) {
        QueuedResult<Void> result = add(owner, false, () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                log.error("A task failed.", e);
            }
            return CompletableFuture.completedStage(null);
        });
        if (result.isCompletedExceptionally() && result.exceptionNow() instanceof RejectedExecutionException refused) {
            throw refused;
        }
    }

    /**
     * Runs a task of an owner. The result fails with {@link TooManyTasksException} if the owner has too many pending
     * tasks.
     */
    public <T> QueuedResult<T> submit(String owner, Supplier<T> task) {
        return add(owner, true, () -> CompletableFuture.completedStage(task.get()));
    }

    /** Like {@link #submit}, for a task that ends asynchronously. It counts as pending until then, but uses no thread. */
    public <T> QueuedResult<T> submitAsync(String owner, Supplier<CompletionStage<T>> task) {
        return add(owner, true, task);
    }

    /** Refuses new tasks. Tasks that were accepted are finished. */
    public void shutdown() {
        synchronized (this) {
            shutdown = true;
        }
        if (pool instanceof ExecutorService service) {
            service.shutdown();
        }
    }

    private <T> QueuedResult<T> add(String ownerId, boolean counted, Supplier<CompletionStage<T>> action) {
        Task<T> task;
        boolean startWorker = false;
        synchronized (this) {
            Owner owner = owners.computeIfAbsent(ownerId, Owner::new);
            task = new Task<>(owner, counted, action);
            if (shutdown || (counted && owner.pending >= maxPending)) {
                owner.removeIfIdle();
                task.result.completeExceptionally(
                        shutdown
                                ? new RejectedExecutionException("the server is shutting down")
                                : new TooManyTasksException());
                return task.result;
            }
            owner.pending += counted ? 1 : 0;
            owner.waiting.add(task);
            if (owner.waiting.size() == 1 && owner.mayRunOneMore()) {
                ready.addLast(owner);
            }
            if (!ready.isEmpty() && workers < threads) {
                workers++;
                startWorker = true;
            }
        }
        if (startWorker) {
            startWorker(task);
        }
        return task.result;
    }

    private void startWorker(Task<?> task) {
        try {
            pool.execute(this::runTasks);
        } catch (RejectedExecutionException e) {
            // The executor was shut down meanwhile.
            synchronized (this) {
                workers--;
            }
            drop(task);
        }
    }

    /** Runs tasks until none may run. */
    private void runTasks() {
        Task<?> task = next(null);
        while (task != null) {
            task.run();
            task = next(task);
        }
    }

    /** Ends the task that a thread has run, and returns the thread's next one. */
    private synchronized @Nullable Task<?> next(@Nullable Task<?> ended) {
        if (ended != null) {
            Owner owner = ended.owner;
            boolean couldRun = owner.mayRunOneMore();
            owner.running--;
            if (!couldRun && !owner.waiting.isEmpty()) {
                ready.addLast(owner);
            }
            owner.removeIfIdle();
        }
        Owner owner = ready.pollFirst();
        if (owner == null) {
            workers--;
            return null;
        }
        Task<?> task = owner.waiting.removeFirst();
        owner.running++;
        if (!owner.waiting.isEmpty() && owner.mayRunOneMore()) {
            ready.addLast(owner);
        }
        return task;
    }

    private boolean drop(Task<?> task) {
        synchronized (this) {
            Owner owner = task.owner;
            if (!owner.waiting.remove(task)) {
                return false;
            }
            if (owner.waiting.isEmpty()) {
                ready.remove(owner);
            }
            owner.pending -= task.counted ? 1 : 0;
            owner.removeIfIdle();
            task.action = null;
        }
        task.result.completeExceptionally(new CancellationException("the task was dropped"));
        return true;
    }

    private synchronized void onComplete(Task<?> task) {
        if (task.counted) {
            task.owner.pending--;
            task.owner.removeIfIdle();
        }
    }
}

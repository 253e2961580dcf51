package dev.gavel.ledger.executor;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The result of a task of a {@link FairExecutor}, or a result that was derived from it with methods such as
 * {@code thenApply}. Cancelling it drops the task if the task has not started. A task that has started runs to its end,
 * so that a completed result means that the task no longer uses memory. Thread-safe.
 */
public final class QueuedResult<T> extends CompletableFuture<T> {
    private final BooleanSupplier drop;

    /**
     * Creates an incomplete result.
     *
     * @param dropTask drops the task, and returns whether it did
     */
    QueuedResult(BooleanSupplier dropTask) {
        this.drop = dropTask;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new QueuedResult<>(drop);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return drop.getAsBoolean();
    }
}

package dev.gavel.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A proposal that the client has sent, with one future for when the gateway stores it and one for how it ends.
 * Dependent stages of the futures run on virtual threads. Thread-safe.
 */
public final class Pending {
    private final String id;
    private final Call call;
    private final Executor executor;
    private final WithdrawAction withdrawAction;
    private final @Nullable CallbackQueue<Guidance> guidanceQueue;
    private final boolean mayExistAlready;
    private volatile boolean stored;
    private final CompletableFuture<String> accepted = new CompletableFuture<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();

    /** Withdraws a proposal. */
    @FunctionalInterface
    interface WithdrawAction {
        CompletableFuture<Void> withdraw(Pending pending, String reason);
    }

    Pending(
            String id,
            Call call,
            Executor executor,
            WithdrawAction action,
            @Nullable CallbackQueue<Guidance> guidance,
            boolean chosenByCaller) {
        this.id = id;
        this.call = call;
        this.executor = executor;
        this.withdrawAction = action;
        this.guidanceQueue = guidance;
        this.mayExistAlready = chosenByCaller;
    }

    /** Returns the proposal's id. */
    public String id() {
        return id;
    }

    /** Returns the proposed call. */
    Call call() {
        return call;
    }

    /**
     * Returns a future of the proposal's id, which completes when the gateway has stored the proposal. From then on it
     * cannot be lost. Fails with {@link GavelException.Refused} if the gateway does not accept the proposal.
     */
    public CompletableFuture<String> accepted() {
        return accepted.copy();
    }

    /**
     * Returns a future of the proposal's end. Fails with a {@link GavelException} if the connection is closed for good
     * before: replaced, expelled or closed. In that case the proposal itself continues in the ledger.
     */
    public CompletableFuture<End> end() {
        return end.copy();
    }

    /** Waits for the proposal's end. */
    public End await() {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /**
     * Waits for the proposal's end, but at most for {@code timeout}. A {@link TimeoutException} does not change the
     * proposal.
     */
    public End await(Duration timeout) throws TimeoutException {
        try {
            return end.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        return e.getCause() instanceof GavelException known ? known : new IllegalStateException(e.getCause());
    }

    private GavelException interrupted() {
        Thread.currentThread().interrupt();
        return new GavelException.Interrupted("interrupted while waiting for the end of " + id);
    }

    /**
     * Withdraws the proposal. Only {@link #end} reports how it ended, since a reviewer's decision may be faster.
     *
     * @return completes when the withdrawal is stored; fails with {@link GavelException.Refused} if the proposal has
     *     already ended
     */
    public CompletableFuture<Void> withdraw(String reason) {
        return withdrawAction.withdraw(this, reason);
    }

    boolean wantsGuidance() {
        return guidanceQueue != null;
    }

    /**
     * Whether an earlier process may have sent this proposal, so that it may already be decided. The gateway does not
     * repeat the envelopes about that.
     */
    boolean mayExistAlready() {
        return mayExistAlready;
    }

    void notifyGuidance(Guidance newest) {
        if (guidanceQueue != null) {
            guidanceQueue.replace(newest);
        }
    }

    void markAccepted() {
        stored = true;
        accepted.completeAsync(() -> id, executor);
    }

    boolean isAccepted() {
        return stored;
    }

    /**
     * Completes both futures, each on its own thread, the end first: a dependent stage of one may wait for the other.
     */
    void end(End result) {
        end.completeAsync(() -> result, executor);
        if (result instanceof End.Refused(String _, var problem)) {
            executor.execute(() -> accepted.completeExceptionally(new GavelException.Refused(problem)));
        } else {
            markAccepted();
        }
    }

    void fail(GavelException why) {
        executor.execute(() -> end.completeExceptionally(why));
        executor.execute(() -> accepted.completeExceptionally(why));
    }

    @Override
    public String toString() {
        return id;
    }
}

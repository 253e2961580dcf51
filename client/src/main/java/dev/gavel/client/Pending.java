package dev.gavel.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A sent proposal whose end the proposer waits for, with futures for its acceptance and its end. Thread-safe; what
 * hangs on its futures runs on a thread of its own.
 */
public final class Pending {
    private final String id;
    private final Executor executor;
    private final WithdrawAction withdrawAction;
    private final @Nullable CallbackQueue<Guidance> guidanceQueue;
    private final boolean mayExistAlready;
    private volatile boolean stored;
    private final CompletableFuture<String> accepted = new CompletableFuture<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();

    /** How it is taken back. */
    @FunctionalInterface
    interface WithdrawAction {
        CompletableFuture<Void> withdraw(Pending pending, String reason);
    }

    Pending(
            String id,
            Executor executor,
            WithdrawAction withdrawing,
            @Nullable CallbackQueue<Guidance> guidance,
            boolean mayBeOlder) {
        this.id = id;
        this.executor = executor;
        this.withdrawAction = withdrawing;
        this.guidanceQueue = guidance;
        this.mayExistAlready = mayBeOlder;
    }

    /** The proposal's id. */
    public String id() {
        return id;
    }

    /**
     * Its id, once the gateway keeps it: from then on it is not lost, whatever happens. Fails with
     * {@link GavelException.Refused} where the gateway does not take it.
     */
    public CompletableFuture<String> accepted() {
        return accepted.copy();
    }

    /**
     * Its end, whenever that is. Fails with a {@link GavelException} where the connection is over before: replaced,
     * expelled, closed. The proposal itself lives on then.
     */
    public CompletableFuture<End> end() {
        return end.copy();
    }

    /** Waits for its end. */
    public End await() {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Waits for its end, but no longer than that; a {@link TimeoutException} leaves it as it is. */
    public End await(Duration longest) throws TimeoutException {
        try {
            return end.get(longest.toNanos(), TimeUnit.NANOSECONDS);
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
     * Takes it back. It has ended when {@link #end} says so: somebody may have been faster.
     *
     * @return done when that is kept; fails with {@link GavelException.Refused} where it has ended already
     */
    public CompletableFuture<Void> withdraw(String reason) {
        return withdrawAction.withdraw(this, reason);
    }

    boolean wantsGuidance() {
        return guidanceQueue != null;
    }

    /** Whether it may have been made before by another process, and be decided since: no envelope tells that again. */
    boolean mayExistAlready() {
        return mayExistAlready;
    }

    void notifyGuidance(Guidance news) {
        if (guidanceQueue != null) {
            guidanceQueue.replace(news);
        }
    }

    void markAccepted() {
        stored = true;
        accepted.completeAsync(() -> id, executor);
    }

    boolean isAccepted() {
        return stored;
    }

    /** Each future on a thread of its own, the end first: what hangs on one may wait for the other. */
    void end(End how) {
        end.completeAsync(() -> how, executor);
        if (how instanceof End.Refused(String _, var problem)) {
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

package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.InMemoryPendingProposal;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Expires proposals when they are due, and marks outcomes as unknown when an answer is overdue. Batches are bounded in
 * size, and one runs at a time, so that ten thousand proposals that expire together do not delay other work. Confined
 * to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
final class ProposalExpirySweeper {
    /** The delay before a failed write is retried. */
    static final long RETRY_MILLIS = 1000;

    /** The longest delay between two checks of the clock: the clock may be changed, and a machine may be suspended. */
    private static final long MAX_DELAY_MILLIS = 30_000;

    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final PendingProposalIndex proposalIndex;
    private final Consumer<ProposalStoreResult.Committed> publish;
    private @Nullable Future<?> timer;
    private @Nullable Instant timerAt;
    private boolean busy;
    private boolean stopped;

    ProposalExpirySweeper(
            ProposalStore proposalStore,
            EventExecutor loop,
            InstantSource clock,
            PendingProposalIndex pendingProposalIndex,
            Consumer<ProposalStoreResult.Committed> publish) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.clock = clock;
        this.proposalIndex = pendingProposalIndex;
        this.publish = publish;
    }

    /** Sets the timer to the next due time. Called whenever that may have changed. */
    void reschedule() {
        Optional<Instant> next = proposalIndex.nextDue();
        if (busy || stopped || next.isEmpty() || next.get().equals(timerAt)) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
        }
        timerAt = next.get();
        long millis = Math.clamp(clock.instant().until(next.get()).toMillis(), 0, MAX_DELAY_MILLIS);
        timer = loop.schedule(this::onTimer, millis + 1, TimeUnit.MILLISECONDS);
    }

    /** Stops expiring. The next process expires what is due then. */
    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void onTimer() {
        timer = null;
        timerAt = null;
        List<InMemoryPendingProposal> due = proposalIndex.pollDue(clock.instant());
        if (due.isEmpty()) {
            reschedule();
            return;
        }
        busy = true;
        proposalStore.expireDue(due, proposalStoreResult -> loop.execute(() -> onBatchDone(due, proposalStoreResult)));
    }

    private void onBatchDone(List<InMemoryPendingProposal> due, ProposalStoreResult proposalStoreResult) {
        if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
            publish.accept(committed);
        }
        if (proposalIndex.requeue(due)) {
            // The write failed, or clocks disagree on what is due.
            loop.schedule(this::resume, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            resume();
        }
    }

    private void resume() {
        busy = false;
        reschedule();
    }
}

package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.InMemoryPendingProposal;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Recomputes the eligible reviewers of open proposals, in batches, after members or their capabilities change. Batches
 * are bounded in size, and one runs at a time. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
final class EligibleReviewersUpdater {
    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final PendingProposalIndex proposalIndex;
    private final Consumer<ProposalStoreResult.Committed> publish;

    private final Queue<InMemoryPendingProposal> queue = new ArrayDeque<>();

    /** Callbacks to run when the changes so far have been applied to all open proposals. */
    private List<Runnable> nextCallbacks = new ArrayList<>();

    private List<Runnable> currentCallbacks = List.of();
    private boolean busy;
    private boolean stopped;

    EligibleReviewersUpdater(
            ProposalStore proposalStore,
            EventExecutor loop,
            PendingProposalIndex pendingProposalIndex,
            Consumer<ProposalStoreResult.Committed> publish) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.proposalIndex = pendingProposalIndex;
        this.publish = publish;
    }

    /**
     * Starts a sweep, after the proposal store has been given the new members.
     *
     * @param done runs when every open proposal has been checked; or when the ledger is unavailable and the sweep is
     *     delayed
     */
    void onMembersChanged(Runnable done) {
        if (stopped) {
            done.run();
            return;
        }
        nextCallbacks.add(done);
        if (!busy) {
            startSweep();
        }
    }

    /** Stops sweeping. The next process starts with the members that are current then. */
    void stop() {
        stopped = true;
        runCallbacks();
        nextCallbacks.forEach(Runnable::run);
        nextCallbacks.clear();
    }

    /** Waits for pending decisions that use the earlier members: they may have opened proposals. */
    private void startSweep() {
        busy = true;
        currentCallbacks = nextCallbacks;
        nextCallbacks = new ArrayList<>();
        proposalStore.whenPendingDone(proposalStoreResult -> loop.execute(() -> {
            if (proposalStoreResult instanceof ProposalStoreResult.Unavailable) {
                retryLater();
            } else {
                queue.clear();
                proposalIndex.all().stream()
                        .filter(InMemoryPendingProposal::open)
                        .forEach(queue::add);
                nextBatch();
            }
        }));
    }

    private void nextBatch() {
        if (stopped) {
            runCallbacks();
            return;
        }
        SweepBatch sweepBatch = new SweepBatch();
        while (!queue.isEmpty() && !sweepBatch.isFull()) {
            sweepBatch.add(queue.remove());
        }
        if (sweepBatch.proposals().isEmpty()) {
            finishSweep();
            return;
        }
        proposalStore.updateReviewers(
                sweepBatch.proposals(),
                proposalStoreResult -> loop.execute(() -> {
                    if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                        publish.accept(committed);
                        nextBatch();
                    } else {
                        retryLater();
                    }
                }));
    }

    private void finishSweep() {
        runCallbacks();
        busy = false;
        if (!nextCallbacks.isEmpty()) {
            startSweep();
        }
    }

    /**
     * Retries the sweep after a delay. Callers do not wait for an unavailable ledger: the members' capabilities have
     * already changed, and the proposals follow later.
     */
    private void retryLater() {
        runCallbacks();
        if (!stopped) {
            loop.schedule(this::startSweep, ProposalExpirySweeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void runCallbacks() {
        List<Runnable> callbacks = currentCallbacks;
        currentCallbacks = List.of();
        callbacks.forEach(Runnable::run);
    }
}

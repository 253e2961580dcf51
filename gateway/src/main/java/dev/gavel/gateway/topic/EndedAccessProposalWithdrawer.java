package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import io.netty.util.concurrent.EventExecutor;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Withdraws the open proposals of identities that have lost their access to a topic, and retries while the ledger is
 * unavailable. If several processes do so, the first one writes. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
final class EndedAccessProposalWithdrawer {
    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final Consumer<ProposalStoreResult.Committed> publish;
    private boolean stopped;

    EndedAccessProposalWithdrawer(
            ProposalStore proposalStore, EventExecutor loop, Consumer<ProposalStoreResult.Committed> publish) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.publish = publish;
    }

    /**
     * Withdraws the proposals of an identity, or of all identities, unless they have access.
     *
     * @param done runs when the proposals are withdrawn; or when the ledger is unavailable and that is delayed
     */
    void withdraw(Optional<String> identity, Runnable done) {
        if (stopped) {
            done.run();
            return;
        }
        proposalStore.withdrawForEndedAccess(
                identity, (result, more) -> loop.execute(() -> onResult(identity, result, more, done)));
    }

    private void onResult(Optional<String> identity, ProposalStoreResult result, boolean more, Runnable done) {
        if (!(result instanceof ProposalStoreResult.Committed committed)) {
            done.run();
            loop.schedule(
                    () -> withdraw(identity, () -> {}), ProposalExpirySweeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        publish.accept(committed);
        if (more) {
            withdraw(identity, done);
        } else {
            done.run();
        }
    }

    /** Stops withdrawing. The next process checks all open proposals when it starts. */
    void stop() {
        stopped = true;
    }
}

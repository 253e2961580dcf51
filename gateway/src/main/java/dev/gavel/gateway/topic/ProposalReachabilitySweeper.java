package dev.gavel.gateway.topic;

import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * After participants join or leave, lets the notifier check whether reviewers of the open proposals are present, and
 * records the result of an approved call as unknown if the member that was to run it has left. Writes in
 * batches of bounded size, one at a time. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
final class ProposalReachabilitySweeper {
    /**
     * After this time a message has arrived from every live process, and the lease of every other process has expired.
     */
    private static final Duration SETTLING_TIME = Duration.ofSeconds(7);

    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final PresenceRegistry presenceRegistry;
    private final PendingProposalIndex proposalIndex;
    private final ProposalReachabilityNotifier notifier;
    private final Consumer<ProposalStoreResult.Committed> publish;

    /** Proposals whose members that were to run the call may have left, by id. */
    private final Map<String, InMemoryPendingProposal> queue = new LinkedHashMap<>();

    /** When the grace period ends in which members that left may reconnect. */
    private Instant graceEndsAt;

    /** Until this time absences do not count. */
    private Instant settledAt = Instant.MIN;

    private boolean scheduled;
    private boolean busy;
    private boolean stopped;
    private boolean suspended;

    ProposalReachabilitySweeper(
            ProposalStore proposalStore,
            EventExecutor loop,
            InstantSource clock,
            PresenceRegistry presenceRegistry,
            PendingProposalIndex pendingProposalIndex,
            ProposalReachabilityNotifier notifier,
            Consumer<ProposalStoreResult.Committed> publish) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.clock = clock;
        this.presenceRegistry = presenceRegistry;
        this.proposalIndex = pendingProposalIndex;
        this.notifier = notifier;
        this.publish = publish;
        this.graceEndsAt = clock.instant().plus(ProposalSettings.ABSENCE_GRACE);
    }

    /** A participant joined: unreachable proposals may be reachable now. */
    void onParticipantJoined() {
        if (!stopped && !suspended) {
            notifier.checkUnreachable();
        }
    }

    /** A participant left: its absence counts when its grace period is over. */
    void onParticipantLeft() {
        Instant now = clock.instant().plus(ProposalSettings.ABSENCE_GRACE);
        graceEndsAt = now.isAfter(settledAt) ? now : settledAt;
        schedule();
    }

    /**
     * Proposals changed: proposers of new ones learn at once that no reviewer is present. If participants left during
     * the write, they still have their grace period.
     */
    void onProposalsChanged(List<InMemoryPendingProposal> changed) {
        if (!stopped && !suspended && !clock.instant().isBefore(settledAt)) {
            notifier.check(changed);
        }
        if (!proposalIndex
                        .withChangedReachability(changed, presenceRegistry::isPresent)
                        .isEmpty()
                || !proposalIndex
                        .awaitingAbsentMembers(changed, presenceRegistry::isPresent)
                        .isEmpty()) {
            Instant now = clock.instant().plus(ProposalSettings.ABSENCE_GRACE);
            graceEndsAt = now.isAfter(graceEndsAt) ? now : graceEndsAt;
            schedule();
        }
    }

    /** Schedules a check of all proposals for the end of the grace period. */
    void schedule() {
        if (!scheduled) {
            scheduled = true;
            long millis = Math.max(0, clock.instant().until(graceEndsAt).toMillis());
            loop.schedule(this::sweep, millis + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        scheduled = false;
        if (suspended) {
            return;
        }
        if (!clock.instant().isBefore(settledAt)) {
            if (!stopped) {
                notifier.check(proposalIndex.all());
            }
            enqueue(proposalIndex.awaitingAbsentMembers(proposalIndex.all(), presenceRegistry::isPresent));
        }
        if (clock.instant().isBefore(graceEndsAt)) {
            schedule();
        }
    }

    private void enqueue(List<InMemoryPendingProposal> inMemoryPendingProposals) {
        inMemoryPendingProposals.forEach(
                inMemoryPendingProposal -> queue.put(inMemoryPendingProposal.id(), inMemoryPendingProposal));
        nextBatch();
    }

    /** Suspends the checks while presence in other processes is unknown. */
    void suspend() {
        suspended = true;
    }

    /** Resumes the checks, after a delay in which every process can announce its members. */
    void resume() {
        suspended = false;
        settledAt = clock.instant().plus(SETTLING_TIME);
        graceEndsAt = settledAt;
        schedule();
    }

    /** Stops the checks: disconnects from a process that stops have no meaning for proposals. */
    void stop() {
        stopped = true;
    }

    private void nextBatch() {
        if (busy || stopped || suspended || queue.isEmpty()) {
            return;
        }
        SweepBatch next = new SweepBatch();
        Iterator<InMemoryPendingProposal> remaining = queue.values().iterator();
        while (remaining.hasNext() && !next.isFull()) {
            next.add(remaining.next());
            remaining.remove();
        }
        busy = true;
        proposalStore.applyAbsence(
                next.proposals(),
                presenceRegistry.snapshot(),
                proposalStoreResult -> loop.execute(() -> onBatchDone(next.proposals(), proposalStoreResult)));
    }

    private void onBatchDone(List<InMemoryPendingProposal> batch, ProposalStoreResult proposalStoreResult) {
        if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
            busy = false;
            publish.accept(committed);
            nextBatch();
        } else {
            batch.forEach(inMemoryPendingProposal ->
                    queue.putIfAbsent(inMemoryPendingProposal.id(), inMemoryPendingProposal));
            loop.schedule(this::retry, ProposalExpirySweeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void retry() {
        busy = false;
        nextBatch();
    }
}

package dev.gavel.gateway.topic;

import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.gateway.store.TrackedProposal;
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
 * Checks open proposals, in batches, after participants join or leave, and records which became reachable, unreachable
 * or unanswerable. Works in bounded turns, one at a time. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class ProposalPresenceSweeper {
    /** After that every process has been heard of that is there, and the lease of every other is over. */
    private static final Duration SETTLING = Duration.ofSeconds(7);

    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final PresenceRegistry presenceRegistry;
    private final TrackedProposalIndex proposalIndex;
    private final Consumer<ProposalStoreResult.Committed> publish;

    /** Proposals to be looked at, by id. */
    private final Map<String, TrackedProposal> queue = new LinkedHashMap<>();

    /** Until then somebody who left may come back before it counts. */
    private Instant graceEnds;

    /** Until then it counts for nothing who is not here. */
    private Instant settledAt = Instant.MIN;

    private boolean scheduled;
    private boolean busy;
    private boolean stopped;
    private boolean suspended;

    ProposalPresenceSweeper(
            ProposalStore docket,
            EventExecutor loop,
            InstantSource clock,
            PresenceRegistry attendance,
            TrackedProposalIndex trackedProposalIndex,
            Consumer<ProposalStoreResult.Committed> publish) {
        this.proposalStore = docket;
        this.loop = loop;
        this.clock = clock;
        this.presenceRegistry = attendance;
        this.proposalIndex = trackedProposalIndex;
        this.publish = publish;
        this.graceEnds = clock.instant().plus(ProposalSettings.GRACE);
    }

    /** Somebody came: what nobody could take may be within reach now. */
    void onParticipantJoined() {
        enqueue(proposalIndex.needingAttention(proposalIndex.all(), presenceRegistry::isPresent).stream()
                .filter(TrackedProposal::unreachable)
                .toList());
    }

    /** Somebody left: that counts when their grace is over. */
    void onParticipantLeft() {
        Instant now = clock.instant().plus(ProposalSettings.GRACE);
        graceEnds = now.isAfter(settledAt) ? now : settledAt;
        schedule();
    }

    /**
     * Proposals changed: somebody may have come or gone while that was being written. Not at once, since another process
     * that sees others here than this one would answer at once, too, and neither would ever end.
     */
    void onProposalsChanged(List<TrackedProposal> changed) {
        if (!proposalIndex
                .needingAttention(changed, presenceRegistry::isPresent)
                .isEmpty()) {
            Instant now = clock.instant().plus(ProposalSettings.GRACE);
            graceEnds = now.isAfter(graceEnds) ? now : graceEnds;
            schedule();
        }
    }

    /** Has everything looked at when everybody's grace is over. */
    void schedule() {
        if (!scheduled) {
            scheduled = true;
            long millis = Math.max(0, clock.instant().until(graceEnds).toMillis());
            loop.schedule(this::sweep, millis + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        scheduled = false;
        if (suspended) {
            return;
        }
        if (!clock.instant().isBefore(settledAt)) {
            enqueue(proposalIndex.needingAttention(proposalIndex.all(), presenceRegistry::isPresent));
        }
        if (clock.instant().isBefore(graceEnds)) {
            schedule();
        }
    }

    private void enqueue(List<TrackedProposal> trackedProposals) {
        trackedProposals.forEach(trackedProposal -> queue.put(trackedProposal.id(), trackedProposal));
        nextBatch();
    }

    /** It is not known who is there: nothing follows from it. */
    void suspend() {
        suspended = true;
    }

    /** It is known again, as soon as everybody has had the time to say that they are there. */
    void resume() {
        suspended = false;
        settledAt = clock.instant().plus(SETTLING);
        graceEnds = settledAt;
        schedule();
    }

    /** Takes no more notice: that everybody leaves a process that ends means nothing. */
    void stop() {
        stopped = true;
    }

    private void nextBatch() {
        if (busy || stopped || suspended || queue.isEmpty()) {
            return;
        }
        SweepBatch next = new SweepBatch();
        Iterator<TrackedProposal> remaining = queue.values().iterator();
        while (remaining.hasNext() && !next.isFull()) {
            next.add(remaining.next());
            remaining.remove();
        }
        busy = true;
        proposalStore.applyPresence(
                next.proposals(),
                presenceRegistry.snapshot(),
                proposalStoreResult -> loop.execute(() -> onBatchDone(next.proposals(), proposalStoreResult)));
    }

    private void onBatchDone(List<TrackedProposal> looked, ProposalStoreResult proposalStoreResult) {
        if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
            busy = false;
            publish.accept(committed);
            nextBatch();
        } else {
            looked.forEach(trackedProposal -> queue.putIfAbsent(trackedProposal.id(), trackedProposal));
            loop.schedule(this::retry, ProposalExpirySweeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void retry() {
        busy = false;
        nextBatch();
    }
}

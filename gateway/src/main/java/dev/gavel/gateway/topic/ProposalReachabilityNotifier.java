package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.proposal.EligibleReviewers;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalReachability;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import io.netty.util.concurrent.EventExecutor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells the proposers of open proposals when no reviewer is connected any more, and when one is connected again. This
 * is derived from presence, not stored: the notices have no seq and are not replayed. Each process notifies the
 * connections that it has. Batches are bounded, so that many notices do not block the loop. Confined to the topic's
 * loop.
 */
final class ProposalReachabilityNotifier {
    private static final int MAX_BATCH = 200;

    private final EventExecutor loop;
    private final InstantSource clock;
    private final SystemMessageFactory systemMessages;
    private final PresenceRegistry presenceRegistry;
    private final PendingProposalIndex proposalIndex;
    private final SubscriberEnvelopeSender broadcaster;
    private final Consumer<String> changeListener;

    /** The ids of the proposals to check. */
    private final Set<String> queue = new LinkedHashSet<>();

    private boolean scheduled;

    /**
     * Creates the notifier of a topic.
     *
     * @param changeListener receives the id of each proposal that became reachable or unreachable
     */
    ProposalReachabilityNotifier(
            EventExecutor loop,
            TopicServices topicServices,
            PresenceRegistry presenceRegistry,
            PendingProposalIndex proposalIndex,
            SubscriberEnvelopeSender broadcaster,
            Consumer<String> changeListener) {
        this.loop = loop;
        this.clock = topicServices.clock();
        this.systemMessages = topicServices.systemMessages();
        this.presenceRegistry = presenceRegistry;
        this.proposalIndex = proposalIndex;
        this.broadcaster = broadcaster;
        this.changeListener = changeListener;
    }

    /**
     * Starts with the current presence, without notices. A proposer that connects learns of it from its welcome.
     */
    void reset() {
        queue.clear();
        proposalIndex
                .withChangedReachability(proposalIndex.all(), presenceRegistry::isPresent)
                .forEach(proposal -> proposalIndex.setUnreachable(proposal.id(), true));
    }

    /** Checks the proposals that are unreachable, because participants joined. */
    void checkUnreachable() {
        check(proposalIndex.unreachable());
    }

    /** Checks proposals, and notifies the proposers of those that became reachable or unreachable. */
    void check(Collection<InMemoryPendingProposal> candidates) {
        proposalIndex
                .withChangedReachability(candidates, presenceRegistry::isPresent)
                .forEach(proposal -> queue.add(proposal.id()));
        if (!scheduled) {
            runBatch();
        }
    }

    private void runBatch() {
        scheduled = false;
        PresenceSnapshot presence = presenceRegistry.snapshot();
        Instant now = clock.instant();
        IdentityHashMap<EligibleReviewers, ProposalReachability> known = new IdentityHashMap<>();
        Iterator<String> ids = queue.iterator();
        for (int i = 0; i < MAX_BATCH && ids.hasNext(); i++) {
            Optional<InMemoryPendingProposal> found = proposalIndex.find(ids.next());
            ids.remove();
            found.filter(proposal -> proposal.isOpenAt(now)).ifPresent(proposal -> {
                ProposalReachability reachability = known.computeIfAbsent(
                        proposal.reviewers(), reviewers -> new ProposalReachability(reviewers, presence));
                Optional<Instant> unreachableFrom = reachability.unreachableFrom();
                boolean reported = proposalIndex.isUnreachable(proposal.id());
                if (reported
                        ? unreachableFrom.isEmpty()
                        : unreachableFrom.filter(from -> !now.isBefore(from)).isPresent()) {
                    proposalIndex.setUnreachable(proposal.id(), !reported);
                    sendNotice(proposal, reachability, now);
                }
            });
        }
        if (ids.hasNext()) {
            scheduled = true;
            loop.execute(this::runBatch);
        }
    }

    private void sendNotice(InMemoryPendingProposal proposal, ProposalReachability reachability, Instant now) {
        OutgoingEnvelope notice =
                systemMessages.reachability(proposal.proposer(), reachability.toNotice(proposal.id()), now);
        presenceRegistry
                .connectionsOf(proposal.proposer())
                .forEach(connection -> broadcaster.sendInOrder(connection.receiver(), notice));
        changeListener.accept(proposal.id());
    }
}

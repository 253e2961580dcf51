package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.metrics.TopicCounters;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.ProposalCounts;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.publication.OrderedPublisher;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.EnvelopeSenderCallback;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.gateway.store.ProposalReader;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.ledger.LedgerException;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.KindCategory;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes envelopes about a topic's proposals to the proposal store, publishes the results once they are durable, and
 * starts the sweeps over pending proposals. Confined to the topic's loop.
 */
final class TopicProposals {
    private static final Logger log = LoggerFactory.getLogger(TopicProposals.class);

    private final ProposalStore proposalStore;
    private final EventExecutor loop;
    private final TopicServices topicServices;
    private final PresenceRegistry presenceRegistry;
    private final SubscriberEnvelopeSender broadcaster;
    private final TopicCounters counters;
    private final ProposalChangeListener changeListener;
    private final RecipientEnvelopeRouter router;
    private final LongPollHandler longPolls;
    private final PendingProposalIndex proposalIndex = new PendingProposalIndex();
    private final ProposalExpirySweeper expirySweeper;
    private final ProposalReachabilitySweeper reachabilitySweeper;
    private final EligibleReviewersUpdater eligibleReviewersUpdater;

    /** The number of each member's proposals that were submitted to the ledger and are not decided yet. */
    private final Map<String, Integer> inFlightProposals = new HashMap<>();

    private final OrderedPublisher orderedPublisher;

    /** Receives proposal changes. */
    interface ProposalChangeListener {
        /** A proposal changed, in any process. */
        void onChange(AppliedProposalEvent change);

        /** This process wrote the change. */
        void onLocalWrite(AppliedProposalEvent change);

        /** Another process accepted this envelope. */
        void onRemoteEnvelope(Envelope envelope);
    }

    TopicProposals(
            ProposalStore proposalStore,
            EventExecutor loop,
            TopicServices topicServices,
            PresenceRegistry presenceRegistry,
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            LongPollHandler.PollerListener pollerListener,
            TopicCounters counters,
            ProposalChangeListener proposalChangeListener,
            RecipientEnvelopeRouter envelopeRouter) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.topicServices = topicServices;
        this.presenceRegistry = presenceRegistry;
        this.broadcaster = subscriberEnvelopeSender;
        this.counters = counters;
        this.changeListener = proposalChangeListener;
        this.router = envelopeRouter;
        this.orderedPublisher = new OrderedPublisher(
                proposalStore.unpublishedEventReader(),
                loop,
                topicServices.ioExecutor(),
                topicServices.bus()::isAvailable,
                new LocalPublisher());
        this.longPolls = new LongPollHandler(proposalStore.reader(), loop, topicServices, pollerListener, this::seq);
        this.expirySweeper =
                new ProposalExpirySweeper(proposalStore, loop, topicServices.clock(), proposalIndex, this::publish);
        this.reachabilitySweeper = new ProposalReachabilitySweeper(
                proposalStore, loop, topicServices.clock(), presenceRegistry, proposalIndex, this::publish);
        this.eligibleReviewersUpdater =
                new EligibleReviewersUpdater(proposalStore, loop, presenceRegistry, proposalIndex, this::publish);
    }

    /** Reads the open proposals. Call it before clients connect, and not on the loop. */
    void loadTracked() {
        ProposalReader proposalReader = proposalStore.reader();
        long last = proposalReader.lastSeq();
        List<InMemoryPendingProposal> inMemoryPendingProposals = proposalReader.loadPending();
        loop.execute(() -> {
            orderedPublisher.startAfter(last);
            proposalIndex.clear();
            proposalIndex.update(inMemoryPendingProposals);
            expirySweeper.reschedule();
            reachabilitySweeper.schedule();
        });
    }

    /** Loads the open proposals again. Retries until the ledger can be read. */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    private void reload() {
        topicServices.ioExecutor().execute(() -> {
            try {
                loadTracked();
            } catch (LedgerException e) {
                log.warn("The open proposals cannot be read; trying again: {}", e.getMessage());
                loop.schedule(this::reload, ProposalExpirySweeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Returns the listener for writes of other processes; it may be called on any thread. */
    RemoteLedgerWriteDispatcher.StreamListener ledgerListener() {
        return new RemoteLedgerWriteDispatcher.StreamListener() {
            @Override
            public void onWritten(long newlyForwarded, long last) {
                loop.execute(() -> orderedPublisher.onAnnounced(newlyForwarded, last));
            }

            @Override
            public void onPolledHead(long last) {
                loop.execute(() -> orderedPublisher.onLedgerHead(last));
            }
        };
    }

    /** Whether an envelope from another process that concerns no proposal arrives too late. */
    boolean isOutOfOrder(ForwardedEnvelope forwardedEnvelope) {
        return orderedPublisher.isOutOfOrder(forwardedEnvelope.from(), forwardedEnvelope.afterSeq());
    }

    /**
     * Calls back once everything up to a seq has been published, or the time has passed; the argument is whether it has
     * been published.
     */
    void whenPublished(long upTo, long timeoutMillis, Consumer<Boolean> callback) {
        orderedPublisher.whenPublished(upTo, timeoutMillis, callback);
    }

    /**
     * Runs a task once this process has published everything that a client may have received from another process. The
     * client reports the last seq it received, but may have received more since. So the task waits for all events that
     * the ledger has by now.
     */
    void whenCaughtUp(OptionalLong since, long timeoutMillis, Runnable callback) {
        if (since.isEmpty() || topicServices.bus() instanceof SingleProcessBus) {
            orderedPublisher.whenPublished(since.orElse(0), timeoutMillis, _ -> callback.run());
            return;
        }
        topicServices.ioExecutor().execute(() -> {
            long lastSeq = since.getAsLong();
            try {
                lastSeq = Math.max(lastSeq, proposalStore.reader().lastSeq());
            } catch (LedgerException e) {
                log.debug("The ledger's last seq cannot be read: {}", e.getMessage());
            }
            long upTo = lastSeq;
            loop.execute(() -> orderedPublisher.whenPublished(upTo, timeoutMillis, _ -> callback.run()));
        });
    }

    /** Sets whether other processes can be reached. While they cannot, presence there is unknown. */
    void setBusReachable(boolean reachable) {
        if (reachable) {
            reachabilitySweeper.resume();
        } else {
            reachabilitySweeper.suspend();
        }
    }

    /** Reads proposals from a member's point of view. Thread-safe. */
    <T> CompletableFuture<T> read(Member member, BiFunction<ProposalReader, ProposalReader.Viewer, T> reading) {
        return CompletableFuture.supplyAsync(() -> viewer(member), loop)
                .thenApplyAsync(viewer -> reading.apply(proposalStore.reader(), viewer), topicServices.ioExecutor());
    }

    private ProposalReader.Viewer viewer(Member member) {
        return new ProposalReader.Viewer(
                member.id(),
                presenceRegistry.snapshot(),
                topicServices.callOffers(),
                topicServices.clock().instant());
    }

    /** Records that a proposal's result was not forwarded. Thread-safe. */
    void markNotForwarded(String proposalId, String reason) {
        proposalStore.markNotForwarded(
                proposalId,
                reason,
                proposalStoreResult -> loop.execute(() -> {
                    if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                        publish(committed);
                    }
                }));
    }

    /**
     * Records that a proposal's result is now forwarded. Completes with true if it was not forwarded before.
     * Thread-safe.
     */
    CompletableFuture<Boolean> markForwarded(String proposalId) {
        CompletableFuture<Boolean> newlyForwarded = new CompletableFuture<>();
        proposalStore.markForwarded(
                proposalId,
                proposalStoreResult -> loop.execute(() -> {
                    if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                        orderedPublisher.publishDecision(
                                committed,
                                () -> newlyForwarded.complete(
                                        !committed.changes().isEmpty()));
                    } else {
                        newlyForwarded.completeExceptionally(
                                new LedgerException("the forwarding of the result could not be recorded"));
                    }
                }));
        return newlyForwarded;
    }

    /** Returns the open proposals that a member could decide, oldest first, at most {@code limit}. Thread-safe. */
    CompletableFuture<List<String>> openProposalIdsFor(Member member, int limit) {
        return CompletableFuture.supplyAsync(() -> proposalIndex.decidableBy(member.id(), limit), loop);
    }

    /** The numbers of its unfinished proposals. */
    ProposalCounts counts() {
        return proposalIndex.counts();
    }

    LongPollHandler longPolls() {
        return longPolls;
    }

    long seq() {
        return orderedPublisher.publishedSeq();
    }

    /** The number of open proposals. */
    int openCount() {
        return proposalIndex.openCount();
    }

    /** Submits an envelope that may concern proposals; its sender is notified of the result. */
    void submit(AddressedEnvelope addressedEnvelope) {
        boolean proposalId = addressedEnvelope.envelope().category() == KindCategory.PROPOSAL;
        String from = addressedEnvelope.sender().member().id();
        if (proposalId) {
            inFlightProposals.merge(from, 1, Integer::sum);
        }
        Consumer<ProposalStoreResult> callback = proposalStoreResult -> loop.execute(() -> {
            if (proposalId) {
                inFlightProposals.computeIfPresent(from, (who, count) -> count == 1 ? null : count - 1);
            }
            onStoreResult(addressedEnvelope, proposalStoreResult);
        });
        preliminaryRefusal(addressedEnvelope)
                .ifPresentOrElse(
                        reason -> proposalStore.refuse(addressedEnvelope.toAdmittedEnvelope(), reason, callback),
                        () -> proposalStore.decide(
                                addressedEnvelope.toAdmittedEnvelope(), presenceRegistry.snapshot(), callback));
    }

    /**
     * Returns why the envelope is refused independently of the ledger. A resend of an accepted envelope is still
     * echoed.
     */
    private Optional<ProposalRefusal> preliminaryRefusal(AddressedEnvelope addressedEnvelope) {
        String from = addressedEnvelope.sender().member().id();
        int open = proposalIndex.openCountOf(from) + inFlightProposals.getOrDefault(from, 0);
        if (addressedEnvelope.recipients().matchesNobody()) {
            return addressedEnvelope
                    .recipients()
                    .unmatchedEntriesMessage()
                    .map(message -> error(addressedEnvelope, EnvelopeErrorCode.UNKNOWN_RECIPIENT, message));
        }
        String id = addressedEnvelope.envelope().id();
        if (addressedEnvelope.envelope().category() == KindCategory.PROPOSAL && (id.equals(".") || id.equals(".."))) {
            return Optional.of(error(
                    addressedEnvelope,
                    EnvelopeErrorCode.MALFORMED,
                    "A proposal's id must not be '.' or '..', because it is part of a URL. Choose another id."));
        }
        if (addressedEnvelope.envelope().category() == KindCategory.PROPOSAL
                && open > topicServices.maxOpenProposals()) {
            return Optional.of(error(
                    addressedEnvelope,
                    EnvelopeErrorCode.RATE_LIMITED,
                    "You have " + topicServices.maxOpenProposals()
                            + " open proposals in this topic, which is the limit. Wait until some are"
                            + " decided, or withdraw some."));
        }
        return Optional.empty();
    }

    private static ProposalRefusal error(AddressedEnvelope addressedEnvelope, EnvelopeErrorCode code, String message) {
        return new ProposalRefusal(
                addressedEnvelope.envelope().refuse(code, message), Optional.empty(), Optional.empty());
    }

    /** Publishes a decision in ledger order, and notifies each sender in the order in which it sent its envelopes. */
    private void onStoreResult(AddressedEnvelope addressedEnvelope, ProposalStoreResult proposalStoreResult) {
        switch (proposalStoreResult) {
            case ProposalStoreResult.Committed committed ->
                orderedPublisher.publishDecision(committed, () -> settle(addressedEnvelope, proposalStoreResult));
            case ProposalStoreResult.Duplicate duplicate ->
                orderedPublisher.runAfter(duplicate.seq(), () -> settle(addressedEnvelope, proposalStoreResult));
            case ProposalStoreResult.Declined _, ProposalStoreResult.Unrelated _, ProposalStoreResult.Unavailable _ ->
                orderedPublisher.runAfter(0, () -> settle(addressedEnvelope, proposalStoreResult));
        }
    }

    private void settle(AddressedEnvelope addressedEnvelope, ProposalStoreResult proposalStoreResult) {
        boolean accepted = false;
        try {
            Optional<EnvelopeErrorCode> refused = notifySender(addressedEnvelope, proposalStoreResult);
            accepted = refused.isEmpty();
            KindCategory category = addressedEnvelope.envelope().category();
            refused.ifPresentOrElse(
                    code -> counters.countRefused(category, code), () -> counters.countAdmitted(category));
        } finally {
            addressedEnvelope.sender().onSettled(accepted);
        }
    }

    /** Notifies the sender of the result. Returns the error code if the envelope was refused. */
    private Optional<EnvelopeErrorCode> notifySender(
            AddressedEnvelope addressedEnvelope, ProposalStoreResult proposalStoreResult) {
        EnvelopeSenderCallback envelopeSenderCallback = addressedEnvelope.sender();
        return switch (proposalStoreResult) {
            case ProposalStoreResult.Committed committed -> {
                addressedEnvelope.reportUnknownRecipients();
                reportErrors(addressedEnvelope, committed.errors());
                yield Optional.empty();
            }
            case ProposalStoreResult.Declined(List<ProposalRefusal> proposalRefusals) -> {
                reportErrors(addressedEnvelope, proposalRefusals);
                yield Optional.of(proposalRefusals.getFirst().refusal().code());
            }
            case ProposalStoreResult.Duplicate(var storedEnvelope, var proposalRefusals, var _) -> {
                envelopeSenderCallback.onEcho(new OutgoingEnvelope(storedEnvelope::encode));
                reportErrors(addressedEnvelope, proposalRefusals);
                yield Optional.empty();
            }
            case ProposalStoreResult.Unrelated() -> router.route(addressedEnvelope);
            case ProposalStoreResult.Unavailable(String reason, Duration retryAfter) -> {
                addressedEnvelope.refuse(
                        EnvelopeErrorCode.UNAVAILABLE,
                        "Not done: " + reason
                                + ". Send the envelope again with the same id. It takes effect only once.",
                        retryAfter.toMillis());
                yield Optional.of(EnvelopeErrorCode.UNAVAILABLE);
            }
        };
    }

    private static void reportErrors(AddressedEnvelope addressedEnvelope, List<ProposalRefusal> proposalRefusals) {
        proposalRefusals.forEach(proposalRefusal ->
                addressedEnvelope.sender().onRefused(proposalRefusal.toFailure(), addressedEnvelope.receivedAt()));
    }

    private void publish(ProposalStoreResult.Committed committed) {
        orderedPublisher.publishDecision(committed, () -> {});
    }

    /** Publishes decisions to the receivers of this process. */
    private final class LocalPublisher implements OrderedPublisher.DecisionPublisher {
        @Override
        public void publish(ProposalStoreResult.Committed committed, boolean remote) {
            proposalIndex.update(committed.trackedProposals());
            for (OutgoingProposalMessage message : committed.messages()) {
                if (remote && message instanceof OutgoingProposalMessage.EnvelopeMessage(var _, var routedEnvelope)) {
                    changeListener.onRemoteEnvelope(
                            routedEnvelope.storedEnvelope().envelope());
                }
                broadcaster.publish(message);
            }
            committed.changes().forEach(changeListener::onChange);
            longPolls.onMessages(committed.messages());
            expirySweeper.reschedule();
            reachabilitySweeper.onProposalsChanged(committed.trackedProposals());
        }

        @Override
        public void onLocalChangesPublished(List<AppliedProposalEvent> changes) {
            changes.forEach(changeListener::onLocalWrite);
        }

        /** This process was suspended for so long that the events it missed have been pruned. */
        @Override
        public void onGap() {
            log.warn(
                    "The events after seq {} are no longer stored; closing all connections so that clients reconnect.",
                    seq());
            presenceRegistry.allConnections().forEach(connection -> connection.close(ConnectionCloseReason.RESTARTING));
            reload();
        }
    }

    /** Loads the proposals that concern a newly connected member. */
    void loadWelcomeProposals(Member member, Consumer<WelcomeProposalList> callback) {
        WelcomeProposalReader welcomeProposalReader = new WelcomeProposalReader(
                proposalStore.reader(),
                proposalIndex.findConcerning(member.id(), WelcomeProposalReader.MAX_PROPOSALS),
                viewer(member),
                seq());
        if (welcomeProposalReader.isEmpty()) {
            callback.accept(welcomeProposalReader.read());
        } else {
            topicServices.ioExecutor().execute(() -> {
                WelcomeProposalList welcomeProposalList = welcomeProposalReader.read();
                loop.execute(() -> callback.accept(welcomeProposalList));
            });
        }
    }

    /** Sends a new connection the events after a seq, before anything else about proposals. */
    void startReplay(TopicConnection connection, long since) {
        if (since != seq()) {
            new ConnectionReplay(connection, since, proposalStore.reader(), loop, topicServices, broadcaster, this::seq)
                    .start();
        }
    }

    /**
     * Uses these members for decisions from now on.
     *
     * @param done runs when the change has been applied to the open proposals, or when the ledger is unavailable and
     *     that is delayed
     */
    void onMembersChanged(CapabilitiesByMember capabilitiesByMember, Runnable done) {
        proposalStore.updateMembers(capabilitiesByMember);
        eligibleReviewersUpdater.onMembersChanged(done);
    }

    void onParticipantJoined() {
        reachabilitySweeper.onParticipantJoined();
    }

    void onParticipantLeft() {
        reachabilitySweeper.onParticipantLeft();
    }

    void drain() {
        orderedPublisher.stop();
        expirySweeper.stop();
        reachabilitySweeper.stop();
        eligibleReviewersUpdater.stop();
        longPolls.drain();
    }
}

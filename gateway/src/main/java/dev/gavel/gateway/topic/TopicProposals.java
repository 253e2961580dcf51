package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.metrics.TopicCounters;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.ProposalCounts;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.publication.OrderedPublisher;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.EnvelopeSenderCallback;
import dev.gavel.gateway.routing.UnproposedRequestCache;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.gateway.store.ProposalReader;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.gateway.tool.EditedArgumentsCheck;
import dev.gavel.gateway.tool.EditedArgumentsCheck.ArgumentCheckResult;
import dev.gavel.gateway.tool.OfferedToolsHint;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.executor.QueuedResult;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.text.SafeText;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes envelopes about a topic's proposals to the proposal store, publishes the results once they are durable, and
 * starts the sweeps over pending proposals. Confined to the topic's loop.
 */
final class TopicProposals {
    private static final Logger log = LoggerFactory.getLogger(TopicProposals.class);

    private static final int MAX_NAME_LENGTH = 80;

    /** The number of tool definitions whose secret arguments are kept. */
    private static final int MAX_KEPT_SECRETS = 1_000;

    private final ProposalStore proposalStore;
    private final Map<String, SecretArgumentPatterns> secretsByDefinition = new HashMap<>();
    private final EventExecutor loop;
    private final TopicServices topicServices;
    private final TopicTools tools;
    private final PresenceRegistry presenceRegistry;
    private final SubscriberEnvelopeSender broadcaster;
    private final TopicCounters counters;
    private final ProposalChangeListener changeListener;
    private final RecipientEnvelopeRouter router;
    private final UnproposedRequestCache unproposedRequests;
    private final LongPollHandler longPolls;
    private final PendingProposalIndex proposalIndex = new PendingProposalIndex();
    private final ProposalExpirySweeper expirySweeper;
    private final ProposalReachabilityNotifier reachabilityNotifier;
    private final ProposalReachabilitySweeper reachabilitySweeper;
    private final EligibleReviewersUpdater eligibleReviewersUpdater;
    private final EndedAccessProposalWithdrawer endedAccessProposalWithdrawer;

    /** The number of each member's proposals that were submitted to the ledger and are not decided yet. */
    private final Map<String, Integer> inFlightProposals = new HashMap<>();

    /** By sender: what waits until the arguments of an earlier envelope are checked. */
    private final Map<String, HeldEnvelopeQueue> checkQueues = new HashMap<>();

    /** The number of envelopes that were submitted. */
    private long submissions;

    private final OrderedPublisher orderedPublisher;

    /** Receives proposal changes. */
    interface ProposalChangeListener {
        /** A proposal changed, in any process. */
        void onChange(AppliedProposalEvent change);

        /** This process wrote the change. */
        void onLocalWrite(AppliedProposalEvent change);

        /** Reviewers of this proposal are connected again, or none is connected any more. */
        void onReachabilityChange(String proposalId);

        /** Another process accepted this envelope. */
        void onRemoteEnvelope(Envelope envelope);
    }

    TopicProposals(
            String topic,
            ProposalStore proposalStore,
            EventExecutor loop,
            TopicServices topicServices,
            PresenceRegistry presenceRegistry,
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            LongPollHandler.PollerListener pollerListener,
            TopicCounters counters,
            ProposalChangeListener proposalChangeListener,
            RecipientEnvelopeRouter envelopeRouter,
            UnproposedRequestCache unproposedRequests,
            TopicTools tools) {
        this.proposalStore = proposalStore;
        this.loop = loop;
        this.topicServices = topicServices;
        this.tools = tools;
        this.presenceRegistry = presenceRegistry;
        this.broadcaster = subscriberEnvelopeSender;
        this.counters = counters;
        this.changeListener = proposalChangeListener;
        this.router = envelopeRouter;
        this.unproposedRequests = unproposedRequests;
        this.orderedPublisher = new OrderedPublisher(
                proposalStore.unpublishedEventReader(),
                loop,
                topicServices.ioExecutor(),
                topicServices.bus()::isAvailable,
                new LocalPublisher());
        this.longPolls = new LongPollHandler(proposalStore.reader(), loop, topicServices, pollerListener, this::seq);
        this.expirySweeper =
                new ProposalExpirySweeper(proposalStore, loop, topicServices.clock(), proposalIndex, this::publish);
        this.reachabilityNotifier = new ProposalReachabilityNotifier(
                loop,
                topicServices,
                presenceRegistry,
                proposalIndex,
                subscriberEnvelopeSender,
                proposalChangeListener::onReachabilityChange);
        this.reachabilitySweeper = new ProposalReachabilitySweeper(
                proposalStore,
                loop,
                topicServices.clock(),
                presenceRegistry,
                proposalIndex,
                reachabilityNotifier,
                this::publish);
        this.eligibleReviewersUpdater = new EligibleReviewersUpdater(proposalStore, loop, proposalIndex, this::publish);
        this.endedAccessProposalWithdrawer = new EndedAccessProposalWithdrawer(proposalStore, loop, this::publish);
    }

    /** Reads the open proposals. Call it before clients connect, and not on the loop. */
    void loadTracked() {
        ProposalReader proposalReader = proposalStore.reader();
        long last = proposalReader.lastSeq();
        List<InMemoryPendingProposal> inMemoryPendingProposals = proposalReader.loadPending();
        proposalStore.toolBaselines().load();
        loop.execute(() -> {
            orderedPublisher.startAfter(last);
            proposalIndex.clear();
            proposalIndex.update(inMemoryPendingProposals);
            reachabilityNotifier.reset();
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

    /** Returns the listener for tool definitions that other processes recorded; it may be called on any thread. */
    RemoteLedgerWriteDispatcher.StreamListener toolBaselineListener() {
        return new RemoteLedgerWriteDispatcher.StreamListener() {
            @Override
            public void onWritten(long first, long last) {
                topicServices.ioExecutor().execute(TopicProposals.this::loadToolBaselines);
            }

            @Override
            public void onPolledHead(long last) {
                if (proposalStore.toolBaselines().isBehind(last)) {
                    onWritten(last, last);
                }
            }
        };
    }

    private void loadToolBaselines() {
        try {
            proposalStore.toolBaselines().load();
        } catch (LedgerException e) {
            log.warn("The definitions of tools cannot be read; trying again later: {}", e.getMessage());
        }
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
    void whenCaughtUp(String memberId, OptionalLong since, long timeoutMillis, Runnable callback) {
        if (since.isEmpty() || topicServices.bus() instanceof SingleProcessBus) {
            orderedPublisher.whenPublished(since.orElse(0), timeoutMillis, _ -> callback.run());
            return;
        }
        topicServices.ioExecutor().execute(memberId, () -> {
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

    /** Returns the names by which texts for one reader call the members that a proposal concerns. Thread-safe. */
    MemberNames namesFor(ProposalSnapshot proposalSnapshot, String readerId) {
        return proposalStore.namesFor(proposalSnapshot, readerId);
    }

    /**
     * Reads proposals from a member's point of view. Cancelling the result drops the read unless it has started.
     * Thread-safe.
     */
    <T> QueuedResult<T> read(Member member, BiFunction<ProposalReader, ProposalReader.Viewer, T> reading) {
        return topicServices
                .ioExecutor()
                .submit(member.id(), () -> reading.apply(proposalStore.reader(), currentViewer(member)));
    }

    /** Returns the member's point of view as of now, on any thread that may wait for the topic's loop. */
    private ProposalReader.Viewer currentViewer(Member member) {
        return loop.inEventLoop()
                ? viewer(member)
                : CompletableFuture.supplyAsync(() -> viewer(member), loop).join();
    }

    private ProposalReader.Viewer viewer(Member member) {
        return new ProposalReader.Viewer(
                member.id(),
                presenceRegistry.snapshot(),
                topicServices.callOffers(),
                tools,
                topicServices.clock().instant());
    }

    /** Records that a proposal's result was not forwarded. Thread-safe. */
    void markNotForwarded(String proposalId, String reason) {
        proposalStore.markNotForwarded(proposalId, reason, this::publishIfCommitted);
    }

    /** Revokes that a process forwarded a proposal's result. Thread-safe. */
    void revokeForwarded(String proposalId, String process, String reason) {
        proposalStore.revokeForwarded(proposalId, process, reason, this::publishIfCommitted);
    }

    /**
     * Records that the MCP client that made the call waits at this process now. A held approval takes effect. Called on
     * the topic's loop.
     */
    CompletableFuture<Void> recordCallerWaits(String proposalId, String process) {
        CompletableFuture<Void> recorded = new CompletableFuture<>();
        // A held approval is for one definition of the tool, which must be known.
        var _ = tools.load()
                .whenComplete((_, _) -> loop.execute(() -> proposalStore.recordCallerWaits(
                        proposalId,
                        process,
                        presenceRegistry.snapshot(),
                        tools,
                        result -> publishThen(result, recorded))));
        return recorded;
    }

    /**
     * Records that the MCP client that made the call lost its connection at a process. Thread-safe.
     *
     * @param linger how long the client has to call again; empty until the proposal expires
     */
    CompletableFuture<Void> recordCallerDisconnected(String proposalId, String process, Optional<Duration> linger) {
        CompletableFuture<Void> recorded = new CompletableFuture<>();
        proposalStore.recordCallerDisconnected(proposalId, process, linger, result -> publishThen(result, recorded));
        return recorded;
    }

    /** Publishes a decision, and then completes the future. It fails if the ledger is unavailable. */
    private void publishThen(ProposalStoreResult proposalStoreResult, CompletableFuture<Void> published) {
        loop.execute(() -> {
            if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                orderedPublisher.publishDecision(committed, () -> published.complete(null));
            } else {
                published.completeExceptionally(new LedgerException("the update of the proposal was not recorded"));
            }
        });
    }

    private void publishIfCommitted(ProposalStoreResult proposalStoreResult) {
        loop.execute(() -> {
            if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                publish(committed);
            }
        });
    }

    /** Returns a proposal as it may be shown: with markers in place of its secret arguments. Thread-safe. */
    ProposalSnapshot redact(ProposalSnapshot proposalSnapshot) {
        return proposalStore.redact(proposalSnapshot);
    }

    /**
     * Records that a member is shown a proposal's secret arguments. Completes with true if it is recorded, and with
     * false if the member may not see them. Fails if the ledger is unavailable. Thread-safe.
     */
    CompletableFuture<Boolean> recordReveal(String proposalId, Member member) {
        CompletableFuture<Boolean> recorded = new CompletableFuture<>();
        proposalStore.recordReveal(
                proposalId,
                member.id(),
                proposalStoreResult -> loop.execute(() -> {
                    switch (proposalStoreResult) {
                        case ProposalStoreResult.Committed committed -> {
                            publish(committed);
                            recorded.complete(!committed.changes().isEmpty());
                        }
                        case ProposalStoreResult.Unavailable(String reason, var _) ->
                            recorded.completeExceptionally(new LedgerException(reason));
                        default -> recorded.complete(false);
                    }
                }));
        return recorded;
    }

    /**
     * Records that a process now forwards a proposal's result. Completes with true if no process forwarded it before.
     * Thread-safe.
     */
    CompletableFuture<Boolean> markForwarded(String proposalId, String process) {
        CompletableFuture<Boolean> newlyForwarded = new CompletableFuture<>();
        proposalStore.markForwarded(proposalId, process, result -> onForwardedMarked(result, newlyForwarded));
        return newlyForwarded;
    }

    /**
     * Records that a process now forwards a proposal's result. Completes with true if this process did not forward it
     * before. Thread-safe.
     */
    CompletableFuture<Boolean> markAlsoForwarded(String proposalId, String process) {
        CompletableFuture<Boolean> newlyForwarded = new CompletableFuture<>();
        proposalStore.markAlsoForwarded(proposalId, process, result -> onForwardedMarked(result, newlyForwarded));
        return newlyForwarded;
    }

    private void onForwardedMarked(ProposalStoreResult proposalStoreResult, CompletableFuture<Boolean> newlyForwarded) {
        loop.execute(() -> {
            if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
                orderedPublisher.publishDecision(
                        committed,
                        () -> newlyForwarded.complete(!committed.changes().isEmpty()));
            } else {
                newlyForwarded.completeExceptionally(
                        new LedgerException("the forwarding of the result could not be recorded"));
            }
        });
    }

    /** Returns the open proposals that a member could decide, oldest first, at most {@code limit}. Thread-safe. */
    CompletableFuture<List<String>> openProposalIdsFor(Member member, int limit) {
        return CompletableFuture.supplyAsync(() -> proposalIndex.decidableBy(member.id(), limit), loop);
    }

    /** Whether a running call that fulfils a proposal has this id. */
    boolean awaitsAnswerTo(String requestId) {
        return proposalIndex.awaitsAnswerTo(requestId);
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

    /** The number of open proposals that a member made or could decide. */
    int openCountConcerning(String memberId) {
        return proposalIndex.findConcerning(memberId, 0).count();
    }

    /** Submits an envelope that may concern proposals; its sender is notified of the result. */
    void submit(AddressedEnvelope addressedEnvelope) {
        HeldEnvelopeQueue checkQueue = checkQueues.computeIfAbsent(
                addressedEnvelope.sender().member().id(), sender -> new HeldEnvelopeQueue());
        long number = ++submissions;
        if (checkQueue.isChecking()) {
            checkQueue.hold(number, addressedEnvelope);
        } else {
            submit(number, addressedEnvelope, checkQueue);
        }
    }

    private void submit(long number, AddressedEnvelope addressedEnvelope, HeldEnvelopeQueue checkQueue) {
        boolean isProposal = addressedEnvelope.envelope().category() == KindCategory.PROPOSAL;
        String from = addressedEnvelope.sender().member().id();
        if (isProposal) {
            inFlightProposals.merge(from, 1, Integer::sum);
        }
        Consumer<ProposalStoreResult> callback = proposalStoreResult -> loop.execute(() -> {
            if (isProposal) {
                inFlightProposals.computeIfPresent(from, (who, count) -> count == 1 ? null : count - 1);
            }
            switch (proposalStoreResult) {
                case ProposalStoreResult.ArgumentCheckRequired(EditedArgumentsCheck request) -> {
                    checkQueue.startCheck();
                    checkArguments(number, addressedEnvelope, request, checkQueue);
                }
                case ProposalStoreResult.Deferred() -> checkQueue.hold(number, addressedEnvelope);
                default -> onStoreResult(addressedEnvelope, proposalStoreResult);
            }
        });
        preliminaryRefusal(addressedEnvelope)
                .ifPresentOrElse(
                        reason -> proposalStore.refuse(
                                addressedEnvelope.toAdmittedEnvelope(),
                                reason,
                                checkQueue.positionOf(number),
                                callback),
                        () -> decide(number, addressedEnvelope, Optional.empty(), checkQueue, callback));
    }

    private void decide(
            long number,
            AddressedEnvelope addressedEnvelope,
            Optional<ArgumentCheckResult> argumentCheckResult,
            HeldEnvelopeQueue checkQueue,
            Consumer<ProposalStoreResult> callback) {
        proposalStore.decide(
                addressedEnvelope.toAdmittedEnvelope().withSchemaSecrets(schemaSecrets(addressedEnvelope.envelope())),
                presenceRegistry.snapshot(),
                tools,
                argumentCheckResult,
                checkQueue.positionOf(number),
                callback);
    }

    /**
     * Checks an edit on a thread where that may take some time, and then decides on its envelope again. Until then, the
     * other envelopes of the sender wait.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the sender is notified of the decision
    private void checkArguments(
            long number,
            AddressedEnvelope addressedEnvelope,
            EditedArgumentsCheck request,
            HeldEnvelopeQueue checkQueue) {
        CompletionStage<Void> loaded =
                request.definitions().isEmpty() ? tools.load() : CompletableFuture.completedStage(null);
        // A participant that has just reported a change usually lists its tools at once.
        loaded.thenCompose(done ->
                        tools.awaitRefetch(addressedEnvelope.recipients().memberIds()))
                .thenApplyAsync(
                        done -> request.check(),
                        task -> topicServices
                                .ioExecutor()
                                .execute(addressedEnvelope.sender().member().id(), task))
                .whenCompleteAsync(
                        (result, failure) -> decide(
                                number,
                                addressedEnvelope,
                                Optional.of(failure == null ? result : request.failed()),
                                checkQueue,
                                decided ->
                                        loop.execute(() -> onChecked(number, addressedEnvelope, decided, checkQueue))),
                        loop);
    }

    private void onChecked(
            long number,
            AddressedEnvelope addressedEnvelope,
            ProposalStoreResult decided,
            HeldEnvelopeQueue checkQueue) {
        if (decided instanceof ProposalStoreResult.ArgumentCheckRequired(EditedArgumentsCheck request)) {
            checkArguments(number, addressedEnvelope, request, checkQueue);
            return;
        }
        onStoreResult(addressedEnvelope, decided);
        checkQueue.finishCheck().forEach((heldNumber, held) -> submit(heldNumber, held, checkQueue));
    }

    /** Returns the patterns of a direct call's secret arguments. */
    SecretArgumentPatterns secretsOf(Envelope call) {
        return proposalStore.secrets().union(schemaSecrets(call));
    }

    /**
     * Returns the patterns of the arguments that the schema of a proposed or approved tool marks as secret. If several
     * participants could run the call, an argument is secret if one of them says so. Of a participant that does not list the
     * tool now, for example because its server is down, the last known definition counts.
     */
    private SecretArgumentPatterns schemaSecrets(Envelope envelope) {
        Optional<String> tool = TopicTools.toolOf(envelope.kindWithContext());
        if (tool.isEmpty()
                || (envelope.category() != KindCategory.PROPOSAL && envelope.category() != KindCategory.REQUEST)) {
            return SecretArgumentPatterns.NONE;
        }
        List<ToolDefinition> definitions = new ArrayList<>(tools.findLatest(tool.get()));
        Set<String> known =
                definitions.stream().map(ToolDefinition::participant).collect(Collectors.toSet());
        proposalStore.toolBaselines().findAll(tool.get()).stream()
                .filter(baseline -> !known.contains(baseline.participant()))
                .flatMap(baseline -> baseline.definition().stream())
                .forEach(definitions::add);
        SecretArgumentPatterns secrets = SecretArgumentPatterns.NONE;
        for (ToolDefinition definition : definitions) {
            if (proposalStore.mayAnswer(definition.participant(), envelope.kindWithContext())) {
                secrets = secrets.union(secretsOf(definition));
            }
        }
        return secrets;
    }

    /** Every direct call needs these patterns, so they are kept. */
    private SecretArgumentPatterns secretsOf(ToolDefinition definition) {
        if (secretsByDefinition.size() >= MAX_KEPT_SECRETS) {
            secretsByDefinition.clear();
        }
        return secretsByDefinition.computeIfAbsent(
                definition.digest(), _ -> SecretArgumentPatterns.ofSchema(definition.inputSchema()));
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
        if (addressedEnvelope.envelope().category() == KindCategory.REQUEST
                && (unproposedRequests.isDirectRequest(id) || router.hasOpenCall(id))) {
            return Optional.of(error(
                    addressedEnvelope,
                    EnvelopeErrorCode.DUPLICATE_ID,
                    "The id " + InputExcerptFormatter.quote(id)
                            + " was already used for a request that is not about a proposal. Send this request with a"
                            + " new id."));
        }
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
            case ProposalStoreResult.EqualProposal equalProposal ->
                orderedPublisher.runAfter(equalProposal.seq(), () -> settle(addressedEnvelope, proposalStoreResult));
            case ProposalStoreResult.Declined declined ->
                orderedPublisher.publishDecision(
                        declined.expiries(), () -> settle(addressedEnvelope, proposalStoreResult));
            case ProposalStoreResult.ArgumentCheckRequired _, ProposalStoreResult.Deferred _ ->
                throw new IllegalStateException("the envelope is not decided yet");
            case ProposalStoreResult.Unrelated() ->
                orderedPublisher.runAfter(0, () -> settle(addressedEnvelope, () -> router.routeNow(addressedEnvelope)));
            case ProposalStoreResult.Unavailable _ ->
                orderedPublisher.runAfter(0, () -> settle(addressedEnvelope, proposalStoreResult));
        }
    }

    private void settle(AddressedEnvelope addressedEnvelope, ProposalStoreResult proposalStoreResult) {
        settle(addressedEnvelope, () -> notifySender(addressedEnvelope, proposalStoreResult));
    }

    private void settle(AddressedEnvelope addressedEnvelope, Supplier<Optional<EnvelopeErrorCode>> refusal) {
        boolean accepted = false;
        try {
            Optional<EnvelopeErrorCode> refused = refusal.get();
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
                envelopeSenderCallback.onRejectionRecorded(committed.rejectionEffects());
                reportUnknownTool(addressedEnvelope);
                yield Optional.empty();
            }
            case ProposalStoreResult.Declined(List<ProposalRefusal> proposalRefusals, var _) -> {
                reportErrors(addressedEnvelope, proposalRefusals);
                yield Optional.of(proposalRefusals.getFirst().refusal().code());
            }
            case ProposalStoreResult.Duplicate(
                    var storedEnvelope,
                    var proposalRefusals,
                    var _,
                    var rejectionEffects,
                    var heldNotice) -> {
                envelopeSenderCallback.onEcho(heldNotice
                        .map(notice -> new OutgoingEnvelope(notice::encode))
                        .orElseGet(() -> new OutgoingEnvelope(storedEnvelope::encode)));
                reportErrors(addressedEnvelope, proposalRefusals);
                envelopeSenderCallback.onRejectionRecorded(rejectionEffects);
                yield Optional.empty();
            }
            case ProposalStoreResult.EqualProposal(String proposal, var _) -> {
                envelopeSenderCallback.onEqualProposal(proposal);
                yield Optional.empty();
            }
            case ProposalStoreResult.ArgumentCheckRequired _, ProposalStoreResult.Deferred _ ->
                throw new IllegalStateException("the envelope is not decided yet");
            case ProposalStoreResult.Unrelated() -> Optional.empty();
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

    /**
     * Tells the proposer if no participant offers the tool, as far as tools are known. The proposal stays: a
     * participant that offers the tool may connect later.
     */
    private void reportUnknownTool(AddressedEnvelope addressedEnvelope) {
        Envelope envelope = addressedEnvelope.envelope();
        Optional<String> tool = envelope.category() == KindCategory.PROPOSAL
                ? TopicTools.toolOf(envelope.kindWithContext())
                : Optional.empty();
        List<ToolDefinition> offered = tool.isPresent() ? tools.findAll() : List.of();
        if (tool.isEmpty()
                || offered.isEmpty()
                || offered.stream().anyMatch(each -> each.name().equals(tool.get()))) {
            return;
        }
        CapabilitySet capabilities = addressedEnvelope.sender().member().capabilitySet();
        List<String> callable = offered.stream()
                .map(ToolDefinition::name)
                .distinct()
                .filter(name -> {
                    Kind call = envelope.kindWithContext().withContext(name);
                    return capabilities.admitsKind(call) || capabilities.admitsKind(call.withOperation("request"));
                })
                .toList();
        addressedEnvelope.refuse(
                EnvelopeErrorCode.UNKNOWN_TOOL,
                "The proposal is stored, but no connected participant offers the tool '"
                        + SafeText.brief(tool.get(), MAX_NAME_LENGTH) + "'. "
                        + OfferedToolsHint.describe(tool.get(), callable),
                0);
    }

    private static void reportErrors(AddressedEnvelope addressedEnvelope, List<ProposalRefusal> proposalRefusals) {
        proposalRefusals.forEach(proposalRefusal ->
                addressedEnvelope.sender().onRefused(proposalRefusal.toFailure(), addressedEnvelope.receivedAt()));
    }

    private void publish(ProposalStoreResult.Committed committed) {
        orderedPublisher.publishDecision(committed, () -> {});
    }

    private void recordApprovedTools(AppliedProposalEvent change) {
        if (change.entry().event() instanceof Fulfilled fulfilled) {
            TopicTools.toolOf(change.after().callKind())
                    .ifPresent(tool -> fulfilled
                            .tools()
                            .forEach(definition -> proposalStore
                                    .toolBaselines()
                                    .recordApproved(
                                            definition,
                                            tool,
                                            fulfilled.actor(),
                                            change.after().id())));
        }
    }

    /** Publishes decisions to the receivers of this process. */
    private final class LocalPublisher implements OrderedPublisher.DecisionPublisher {
        @Override
        public void publish(ProposalStoreResult.Committed committed, boolean remote) {
            proposalIndex.update(committed.trackedProposals());
            for (OutgoingProposalMessage message : committed.messages()) {
                if (remote
                        && message
                                instanceof
                                OutgoingProposalMessage.EnvelopeMessage(var _, var routedEnvelope, var _, var _)) {
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
            changes.forEach(TopicProposals.this::recordApprovedTools);
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
            topicServices.ioExecutor().execute(member.id(), () -> {
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

    /** Checks the access of senders and proposers with this source from now on. */
    void setAccessSource(IdentityAccessSource accessSource) {
        proposalStore.setAccessSource(accessSource);
    }

    /**
     * Withdraws the open proposals of an identity, or of all identities, that have lost their access.
     *
     * @param done runs when that is done, or when the ledger is unavailable and it is delayed
     */
    void withdrawForEndedAccess(Optional<String> identity, Runnable done) {
        endedAccessProposalWithdrawer.withdraw(identity, done);
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
        endedAccessProposalWithdrawer.stop();
        longPolls.drain();
    }
}

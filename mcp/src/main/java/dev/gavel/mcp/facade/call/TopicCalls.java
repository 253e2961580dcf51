package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CallerStatusNote;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of a topic's calls in progress: it passes envelopes and proposal events to the calls they concern. It
 * also creates ids, submits envelopes and reads proposals for the classes of this package. Confined to the topic's
 * loop.
 */
public final class TopicCalls {
    private static final Logger log = LoggerFactory.getLogger(TopicCalls.class);

    private static final String PROGRESS = "notifications/progress";
    private static final char TASK_PREFIX = 't';

    /** How long the subscription to the topic's remote traffic stays open after the last call. */
    private static final long IDLE_UNSUBSCRIBE_MILLIS = 60_000;

    private final Topic topic;
    private final Gateway gateway;
    private final CatalogRegistry catalogRegistry;
    private final ReviewDecisionSubmitter reviewDecisionSubmitter;
    private final InstantSource clock;
    private final Map<String, PendingCall> calls = new HashMap<>();
    private final JoinableCalls joinableCalls = new JoinableCalls();
    private final UncollectedResults uncollectedResults = new UncollectedResults();
    private final ProposalUpdateSubmitter proposalUpdateSubmitter = new ProposalUpdateSubmitter(this);

    /** The callers that another process has asked to call again. The local knowledge of their proposals is outdated. */
    private final Set<String> staleCallers = new HashSet<>();

    private final RestartableTimer unsubscribeTimer = new RestartableTimer(this);
    private Topic.@Nullable RemoteTrafficSubscription topicSubscription;
    private boolean draining;

    public TopicCalls(
            Topic topic,
            Gateway gateway,
            CatalogRegistry catalogRegistry,
            ReviewDecisionSubmitter reviewDecisionSubmitter,
            InstantSource clock) {
        this.topic = topic;
        this.gateway = gateway;
        this.catalogRegistry = catalogRegistry;
        this.reviewDecisionSubmitter = reviewDecisionSubmitter;
        this.clock = clock;
    }

    public Topic topic() {
        return topic;
    }

    public CatalogRegistry catalogRegistry() {
        return catalogRegistry;
    }

    public ReviewDecisionSubmitter reviewerActions() {
        return reviewDecisionSubmitter;
    }

    public Optional<ProposalQueries> proposalQueries() {
        return topic.proposalQueries();
    }

    JoinableCalls joinableCalls() {
        return joinableCalls;
    }

    UncollectedResults uncollectedResults() {
        return uncollectedResults;
    }

    Set<String> staleCallers() {
        return staleCallers;
    }

    public ProposalUpdateSubmitter proposalFollowUpSender() {
        return proposalUpdateSubmitter;
    }

    /** Returns the unique id of this process. */
    String processId() {
        return gateway.bus().processId();
    }

    /** Whether other processes serve the topic too. */
    boolean hasOtherProcesses() {
        return !(gateway.bus() instanceof SingleProcessBus);
    }

    /** Whether the process is about to end, so that clients must not wait here for a decision. */
    boolean isDraining() {
        return draining;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Creates an envelope id. */
    public String newEnvelopeId(char prefix) {
        return EnvelopeIdGenerator.next(prefix, clock.instant());
    }

    /** Creates an id for a proposal whose proposer waits at this process. */
    String newWaitingProposalId() {
        return WaitingProposalId.create(this);
    }

    /** Creates an unguessable id for a proposal that its proposer holds as a task. */
    String newTaskId() {
        return EnvelopeIdGenerator.nextUnguessable(TASK_PREFIX, clock.instant());
    }

    /** Whether the id is that of a task. */
    public static boolean isTaskId(String id) {
        return id.startsWith(TASK_PREFIX + "-");
    }

    /** Returns the number of calls in progress. */
    int activeCount() {
        return calls.size();
    }

    /**
     * Sends the envelope that starts a call, and registers the call for events. The HTTP layer has checked the client's
     * rate limit before.
     */
    void start(PendingCall call, Member sender, byte[] envelope) {
        subscribe();
        calls.put(call.id(), call);
        whenCompleteOnLoop(
                gateway.submitInternal(topic, sender, call.accessGrant(), envelope),
                call::onDispatched,
                call::onDispatchFailed);
    }

    /**
     * As {@link #start}, for a proposal that is not stored if the caller waits for an equal one already. Another process
     * may have stored that one a moment ago.
     */
    void startOrJoin(PendingCall call, Member sender, byte[] envelope) {
        subscribe();
        calls.put(call.id(), call);
        whenCompleteOnLoop(
                gateway.submitOrJoinInternal(topic, sender, call.accessGrant(), envelope),
                call::onDispatched,
                call::onDispatchFailed);
    }

    /**
     * Subscribes to the topic's remote traffic: the response to a call may arrive at another process, and is needed
     * here while a client waits.
     */
    private void subscribe() {
        if (topicSubscription == null) {
            topicSubscription = topic.subscribeToRemote();
        }
        unsubscribeTimer.schedule(IDLE_UNSUBSCRIBE_MILLIS, this::unsubscribeIfIdle);
    }

    private void unsubscribeIfIdle() {
        if (!calls.isEmpty()) {
            unsubscribeTimer.schedule(IDLE_UNSUBSCRIBE_MILLIS, this::unsubscribeIfIdle);
        } else if (topicSubscription != null) {
            topicSubscription.close();
            topicSubscription = null;
        }
    }

    /** Registers a call for the events of an existing proposal. */
    void register(PendingCall call) {
        subscribe();
        calls.put(call.id(), call);
    }

    /** Registers a proposal that its proposer holds as a task, so that an equal call joins it. */
    void registerTask(PendingCall task) {
        register(task.markAccepted());
        joinableCalls.add(task);
        refresh(task);
    }

    /** Lets equal calls join a proposal for which this process has a call, although they did not find it. */
    void makeJoinable(String proposal) {
        PendingCall call = calls.get(proposal);
        if (call != null && !call.isWithdrawing()) {
            joinableCalls.add(call);
        }
    }

    boolean isRegistered(String proposal) {
        return calls.containsKey(proposal);
    }

    /** Returns the call in progress for a proposal. */
    Optional<PendingCall> find(String proposal) {
        return Optional.ofNullable(calls.get(proposal));
    }

    void remove(PendingCall call) {
        unregister(call);
        joinableCalls.remove(call);
    }

    /** Ends the registration for events. */
    void unregister(PendingCall call) {
        calls.remove(call.id(), call);
    }

    /** Whether a client waits here for the result of a proposal. */
    boolean hasWaitingClient(String proposal) {
        PendingCall call = calls.get(proposal);
        return call != null && call.hasWaitingClient();
    }

    /** Passes the change of a proposal to its call. */
    public void onProposalChange(AppliedProposalEvent change) {
        PendingCall call = calls.get(change.after().id());
        if (call != null) {
            call.onProposalChange(change);
        } else if (change.entry().event() instanceof Forwarded) {
            uncollectedResults.remove(change.after().proposer(), change.after().id());
        } else if (change.entry().event() instanceof StatusReported statusReported
                && CallerStatusNote.of(statusReported, change.after().proposer())
                        .filter(CallerStatusNote.WILL_CALL_AGAIN::equals)
                        .isPresent()) {
            staleCallers.add(statusReported.actor());
        }
    }

    /** Reports to the client of a call that reviewers are connected again, or that none is. */
    public void onReachabilityChange(String proposalId) {
        PendingCall call = calls.get(proposalId);
        if (call != null) {
            call.reportStatus();
        }
    }

    /** Prepares for the end of the process: clients do not wait here for a decision any more. */
    public void drain() {
        draining = true;
        List.copyOf(calls.values()).forEach(PendingCall::drain);
    }

    /** Responds to all waiting clients at the end of the process. */
    public void shutdownNow() {
        List.copyOf(calls.values()).forEach(PendingCall::shutdownNow);
    }

    /** Passes a response or a progress notification to the call it belongs to. */
    public void onEnvelope(String from, Envelope envelope) {
        switch (envelope.category()) {
            case RESPONSE -> {
                PendingCall call = calls.get(envelope.correlationIds().getFirst());
                if (call != null && !call.isProposed() && call.isRunBy(from)) {
                    call.onResponse(envelope);
                }
            }
            case REQUEST -> {
                if (PROGRESS.equals(envelope.kind().method())) {
                    Json params = PayloadJsonConverter.of(envelope).at("params");
                    PendingCall call = calls.get(params.at("progressToken").text());
                    if (call != null && call.isRunBy(from)) {
                        call.onProgress(params);
                    }
                }
            }
            default -> {}
        }
    }

    public void onMemberLeft(Member member) {
        calls.values().stream()
                .filter(call -> call.isRunBy(member.id()))
                .toList()
                .forEach(PendingCall::onRunnerLeft);
    }

    /** Loads the status of a call's proposal as text for its proposer. */
    void loadStatus(PendingCall call, Consumer<String> callback) {
        proposalQueries()
                .ifPresent(proposalQueries -> whenCompleteOnLoop(
                        proposalQueries.view(call.caller(), call.id()),
                        view -> callback.accept(view.map(proposalView ->
                                        SafeText.line(proposalView.guidance().status()))
                                .orElse("the proposal was not found")),
                        failure -> callback.accept("the status cannot be read, because the ledger is unavailable")));
    }

    /** Loads the state of a proposal whose call was just registered: it may have changed before that. */
    void refresh(PendingCall call) {
        proposalQueries()
                .ifPresent(proposalQueries -> whenCompleteOnLoop(
                        proposalQueries.view(call.caller(), call.id()),
                        view -> view.ifPresent(
                                proposalView -> call.onProposalLoaded(ProposalSnapshot.of(proposalView.timeline()))),
                        failure -> log("The status of a pending call could not be read.", failure)));
    }

    /**
     * Claims the delivery of a proposal's result, which succeeds only once in all processes.
     *
     * @param callback receives whether this process may deliver the result
     */
    void claimDelivery(String proposal, Consumer<Boolean> callback, Consumer<Throwable> onFailure) {
        proposalQueries()
                .ifPresent(proposalQueries ->
                        whenCompleteOnLoop(proposalQueries.markForwarded(proposal, processId()), callback, onFailure));
    }

    /**
     * Records that this process delivers a proposal's result to clients that wait here, even if another process delivers
     * it, too.
     *
     * @param callback receives whether this process did not deliver it before
     */
    void recordDelivery(String proposal, Consumer<Boolean> callback, Consumer<Throwable> onFailure) {
        proposalQueries()
                .ifPresent(proposalQueries -> whenCompleteOnLoop(
                        proposalQueries.markAlsoForwarded(proposal, processId()), callback, onFailure));
    }

    /**
     * Records that the client of a proposal lost its connection at this process, and may call again.
     *
     * @param linger how long the client has to call again; empty until the proposal expires
     */
    CompletionStage<Void> recordCallerDisconnected(String proposal, Optional<Duration> linger) {
        return recordCallerDisconnected(proposal, processId(), linger);
    }

    /** As {@link #recordCallerDisconnected(String, Optional)}, for a process that has ended. */
    CompletionStage<Void> recordCallerDisconnected(String proposal, String process, Optional<Duration> linger) {
        return proposalQueries()
                .map(proposalQueries -> proposalQueries.recordCallerDisconnected(proposal, process, linger))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Records that the client of a proposal waits at this process now. */
    CompletionStage<Void> recordCallerWaits(String proposal) {
        return proposalQueries()
                .map(proposalQueries -> proposalQueries.recordCallerWaits(proposal, processId()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Returns the result of a proposal for its proposer, or empty while there is none. */
    Optional<CallResult> resultOf(ProposalSnapshot proposalSnapshot) {
        return CallResult.of(
                proposalQueries()
                        .map(proposalQueries -> proposalQueries.redact(proposalSnapshot))
                        .orElse(proposalSnapshot),
                proposalQueries()
                        .map(proposalQueries -> proposalQueries.namesFor(proposalSnapshot, proposalSnapshot.proposer()))
                        .orElse(MemberNames.IDS));
    }

    /** Loads the result of a caller's proposal. */
    void loadResult(
            FacadeCaller caller, String proposal, Consumer<CallResult> callback, Consumer<Throwable> onFailure) {
        proposalQueries()
                .ifPresent(proposalQueries -> whenCompleteOnLoop(
                        proposalQueries.view(caller.member(), proposal),
                        view -> callback.accept(view.flatMap(proposalView -> CallResult.of(
                                        ProposalSnapshot.of(proposalView.timeline()), proposalView.names()))
                                .orElseGet(() -> new CallResult.NotCompleted(
                                        "unknown",
                                        "The proposal is no longer stored, so it is not known whether"
                                                + " the call ran. Check before you call it again."))),
                        onFailure));
    }

    /**
     * Sends an envelope that a client's request caused.
     *
     * @param sender the caller, with the capabilities that the envelope needs
     */
    public CompletionStage<SubmitResult> submit(FacadeCaller caller, Member sender, byte[] envelope) {
        return gateway.submitInternal(topic, sender, caller.accessGrant(), envelope);
    }

    /** Sends an envelope of the facade in a member's name. It counts even if the member's client has lost its token. */
    public CompletionStage<SubmitResult> submitInternal(Member sender, byte[] envelope) {
        return gateway.submitInternal(topic, sender, envelope);
    }

    public void log(String message, Throwable failure) {
        log.atWarn().addKeyValue("topic", topic.name()).setCause(failure).log(message);
    }

    /** Answers a client whose request failed unexpectedly. The log entry and the response have the same id. */
    public void respondInternalError(InFlightClientRequest clientRequest, Throwable failure) {
        clientRequest.respond(internalError(clientRequest, failure));
    }

    RpcMessage internalError(InFlightClientRequest clientRequest, Throwable failure) {
        String errorId = newEnvelopeId('e');
        log.atError()
                .addKeyValue("topic", topic.name())
                .addKeyValue("errorId", errorId)
                .setCause(failure)
                .log("A request of an MCP client failed.");
        return CallResponseFactory.internalError(clientRequest.id(), errorId);
    }

    /**
     * Runs a callback for a client's request on the topic's loop when the stage has completed. If the callback throws,
     * the client gets an error.
     *
     * @param onFailure run if the stage failed
     */
    public <T> void respondOnLoop(
            CompletionStage<T> stage,
            InFlightClientRequest clientRequest,
            Consumer<T> callback,
            Consumer<Throwable> onFailure) {
        whenCompleteOnLoop(
                stage,
                value -> {
                    try {
                        callback.accept(value);
                    } catch (RuntimeException e) {
                        respondInternalError(clientRequest, e);
                    }
                },
                onFailure);
    }

    /**
     * Runs a callback on the topic's loop when the stage has completed.
     *
     * @param onFailure run if the stage failed or the callback throws
     */
    public <T> void whenCompleteOnLoop(CompletionStage<T> stage, Consumer<T> callback, Consumer<Throwable> onFailure) {
        var _ = stage.whenComplete((value, failure) -> {
            Runnable completion = () -> {
                try {
                    if (failure == null) {
                        callback.accept(value);
                    } else {
                        onFailure.accept(failure);
                    }
                } catch (RuntimeException e) {
                    log("A callback failed. A client might be waiting for its result.", e);
                    if (failure == null) {
                        onFailure.accept(e);
                    }
                }
            };
            if (topic.loop().inEventLoop()) {
                completion.run();
            } else {
                topic.loop().execute(completion);
            }
        });
    }
}

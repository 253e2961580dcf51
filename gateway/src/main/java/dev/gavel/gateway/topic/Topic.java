package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.call.CallOutcome;
import dev.gavel.gateway.call.CallQueries;
import dev.gavel.gateway.call.CallRecorder;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.MemberRegistry;
import dev.gavel.gateway.metrics.TopicCounters;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.routing.UnproposedRequestCache;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ToolBaselineStore;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A shared space in which members exchange envelopes; it admits connections, tracks presence and owns the topic's
 * proposals. It is confined to one event loop, except for looking up members, {@link #runOnLoop}, and methods
 * documented as thread-safe.
 */
public final class Topic {
    /** How long a new connection waits until this process has read the events that its client already knows. */
    private static final long CATCH_UP_TIMEOUT_MILLIS = 3_000;

    /** If the loop does not respond within this time, the metrics are returned without gauges. */
    private static final long GAUGE_TIMEOUT_MILLIS = 2_000;

    private final String name;
    private final ProposalVisibility visibility;
    private final MemberRegistry memberRegistry;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final SystemMessageFactory systemMessages;
    private final TopicListener listener;
    private final SubscriberEnvelopeSender broadcaster;
    private final PresenceRegistry presenceRegistry;
    private final TopicCounters counters = new TopicCounters();

    /** The topic's proposals; null if the topic has no ledger and routes proposals like other envelopes. */
    private final @Nullable TopicProposals proposals;

    /** Records the topic's calls; null if the topic has no ledger. */
    private final @Nullable CallRecorder callRecorder;

    private final Optional<CallQueries> callQueries;
    private final Optional<ProposalQueries> proposalQueries;
    private final DefinitionPinGuard definitionPinGuard;
    private final MembershipUpdater membershipUpdater;
    private final InboundEnvelopeDispatcher inboundDispatcher;

    private long lastConnectionNumber;

    private boolean draining;

    public Topic(String name, TopicConfig config, EventExecutor loop, TopicServices topicServices) {
        this.name = name;
        this.visibility = config.visibility();
        this.memberRegistry = new MemberRegistry(config.members());
        this.loop = loop;
        this.clock = topicServices.clock();
        this.systemMessages = topicServices.systemMessages();
        this.listener = topicServices.listener();
        this.broadcaster =
                new SubscriberEnvelopeSender(new DeliveryBatcher(loop, ByteBufAllocator.DEFAULT), config.visibility());
        InterProcessTopicChannel topicChannel = topicServices.bus().topicChannel(name);
        boolean singleProcess = topicServices.bus() instanceof SingleProcessBus;
        this.presenceRegistry = new PresenceRegistry(
                memberRegistry.ids(),
                clock.instant(),
                topicChannel,
                topicServices.bus().processId());
        this.callRecorder = config.callAudit()
                .map(audit -> new CallRecorder(audit.appender(), audit.mode(), clock, this::secretsOf))
                .orElse(null);
        RecipientEnvelopeRouter envelopeRouter = new RecipientEnvelopeRouter(
                broadcaster,
                (from, envelope) -> listener.onEnvelope(this, from, envelope),
                this::lastPublishedSeq,
                presenceRegistry::snapshot,
                singleProcess ? null : topicChannel,
                callRecorder,
                loop);
        TopicTools topicTools = new TopicTools(topicServices.toolDefinitions(), name);
        this.definitionPinGuard = new DefinitionPinGuard(
                name,
                config.pins(),
                topicTools,
                config.proposalStore().map(ProposalStore::toolBaselines).orElseGet(ToolBaselineStore::inMemory));
        UnproposedRequestCache unproposedRequests = new UnproposedRequestCache();
        this.proposals = config.proposalStore()
                .map(proposalStore -> new TopicProposals(
                        name,
                        proposalStore,
                        loop,
                        topicServices,
                        presenceRegistry,
                        broadcaster,
                        new PollerPresenceUpdater(),
                        counters,
                        new ProposalChangeForwarder(),
                        envelopeRouter,
                        unproposedRequests,
                        topicTools.withPinCheck(definitionPinGuard::stopsDirectCalls)))
                .orElse(null);
        this.callQueries = config.callAudit()
                .map(audit -> new CallQueries(
                        audit.reader(),
                        config.visibility(),
                        this::memberNames,
                        config.proposalStore()
                                .<CallQueries.RunNames>map(store -> store.reader()::namesForRun)
                                .orElse((proposal, caller, reader) -> memberNames()),
                        topicServices.ioExecutor()));
        this.proposalQueries = Optional.ofNullable(proposals).map(ProposalQueries::new);
        this.membershipUpdater = new MembershipUpdater(
                memberRegistry,
                loop,
                presenceRegistry,
                this::leave,
                this::announceChange,
                this,
                listener,
                proposals,
                clock);
        this.inboundDispatcher = new InboundEnvelopeDispatcher(
                memberRegistry,
                presenceRegistry,
                broadcaster,
                counters,
                topicServices,
                this::runOnLoop,
                envelopeRouter,
                definitionPinGuard,
                unproposedRequests,
                proposals);
        if (proposals != null) {
            topicServices.writeNotifier().subscribe(name, proposals.ledgerListener());
            topicServices.writeNotifier().subscribe(ToolBaselineStore.stream(name), proposals.toolBaselineListener());
        }
        if (!singleProcess) {
            RemoteTopicListener remoteTopicListener = new RemoteTopicListener(this, loop, topicServices);
            loop.execute(() -> remoteTopicListener.onReachabilityChanged(topicChannel.isAvailable()));
            // Last, because the listener needs everything above.
            topicChannel.open(loop, remoteTopicListener);
        }
    }

    private long lastPublishedSeq() {
        return proposals == null ? 0 : proposals.seq();
    }

    /** Forwards proposal changes to the topic's listener. */
    private final class ProposalChangeForwarder implements TopicProposals.ProposalChangeListener {
        @Override
        public void onChange(AppliedProposalEvent change) {
            listener.onProposalChange(Topic.this, change);
        }

        @Override
        public void onLocalWrite(AppliedProposalEvent change) {
            counters.countProposalEvent(change.after(), change.entry());
            if (callRecorder != null) {
                callRecorder.onProposalWrite(change);
            }
            listener.onProposalWrite(Topic.this, change);
        }

        @Override
        public void onReachabilityChange(String proposalId) {
            listener.onReachabilityChange(Topic.this, proposalId);
        }

        @Override
        public void onRemoteEnvelope(Envelope envelope) {
            inboundDispatcher.onRemoteFulfilment(envelope);
        }
    }

    public String name() {
        return name;
    }

    /** Which members can read proposals, and calls between other members. */
    public ProposalVisibility visibility() {
        return visibility;
    }

    /** Returns the member with this identity, if there is one. */
    public Optional<Member> member(String identity) {
        return memberRegistry.find(identity).map(LiveMembership::member);
    }

    /** Returns the live membership of an identity, if it is a member. */
    public Optional<LiveMembership> membership(String identity) {
        return memberRegistry.find(identity);
    }

    private SecretArgumentPatterns secretsOf(Envelope call) {
        return proposals == null ? SecretArgumentPatterns.NONE : proposals.secretsOf(call);
    }

    /** The names by which texts call the members. */
    public MemberNames memberNames() {
        return memberRegistry.capabilities().names();
    }

    /** All members, in the order in which they were added. */
    public List<Member> members() {
        return memberRegistry.members();
    }

    /**
     * Adds a member or changes its capabilities. Completes when the change is in effect for open connections and open
     * proposals; it does not wait for the proposals if the ledger is unavailable or if that takes long. Thread-safe.
     */
    public CompletionStage<Void> addMember(Member member) {
        return membershipUpdater.addMember(member);
    }

    /** Removes a member and closes its connections; completes as {@link #addMember} does. Thread-safe. */
    public CompletionStage<Void> removeMember(String identity) {
        return membershipUpdater.removeMember(identity);
    }

    /** Checks the access of senders and proposers with this source from now on. Thread-safe. */
    public void setAccessSource(IdentityAccessSource accessSource) {
        if (proposals != null) {
            proposals.setAccessSource(accessSource);
        }
        membershipUpdater.setAccessSource(accessSource);
    }

    /**
     * Applies that an identity, or all of them, lost or got access to open proposals: withdraws the proposals of those
     * without access, and updates the reviewers of the others. Completes as {@link #addMember} does. Thread-safe.
     */
    public CompletionStage<Void> onAccessChanged(Optional<String> identity) {
        return membershipUpdater.onAccessChanged(identity);
    }

    /** What a call of a participant's tool needs because the tool's definition changed. */
    public enum ChangedToolRule {
        NONE,
        APPROVAL,
        REFUSAL
    }

    /**
     * Returns what a call that needs no approval by the caller's capabilities needs nevertheless, because the tool's
     * definition changed since a person last approved it.
     */
    public ChangedToolRule changedToolRule(String participant, String tool) {
        return definitionPinGuard
                .check(participant, tool)
                .map(stopped -> stopped.code() == EnvelopeErrorCode.APPROVAL_REQUIRED
                        ? ChangedToolRule.APPROVAL
                        : ChangedToolRule.REFUSAL)
                .orElse(ChangedToolRule.NONE);
    }

    /** Whether direct calls of a participant's tools must be checked with {@link #directCallProblem} when they run. */
    public boolean verifiesDirectCalls(String participant) {
        return definitionPinGuard.verifiesAtRun(participant);
    }

    /**
     * Returns why a direct call of a participant's tool must not run; empty if it can run. Thread-safe.
     *
     * @param current the definition that the participant lists now; empty if it does not list the tool
     */
    public Optional<String> directCallProblem(String participant, String tool, Optional<ToolDefinition> current) {
        return definitionPinGuard
                .checkAtRun(participant, tool, current)
                .map(stopped -> stopped.code().wireName() + ": the call did not run. " + stopped.message()
                        + (stopped.code() == EnvelopeErrorCode.APPROVAL_REQUIRED
                                ? " At the MCP endpoint, call the tool again: Gavel then proposes the call."
                                : ""));
    }

    /** Queries about the topic's proposals; empty if the topic has no ledger. */
    public Optional<ProposalQueries> proposalQueries() {
        return proposalQueries;
    }

    /** Queries about the topic's calls; empty if the topic has no ledger. */
    public Optional<CallQueries> callQueries() {
        return callQueries;
    }

    /** Records that a member's call, sent without a proposal, will not be waited for any longer. Loop-confined. */
    public void recordGivenUp(String callId, String caller, CallOutcome outcome) {
        if (callRecorder != null) {
            callRecorder.onGivenUp(callId, caller, outcome);
        }
    }

    /** Returns the present members and the last published seq. */
    public CompletionStage<Overview> overview() {
        return CompletableFuture.supplyAsync(
                () -> new Overview(
                        presenceRegistry.presentMembers().toList(),
                        lastPublishedSeq(),
                        proposals == null ? 0 : proposals.openCount()),
                loop);
    }

    /**
     * As {@link #overview}, for one member: if only involved members can read proposals, it counts only the open
     * proposals that the member made or could decide.
     */
    public CompletionStage<Overview> overviewFor(String memberId) {
        if (visibility == ProposalVisibility.MEMBERS) {
            return overview();
        }
        return CompletableFuture.supplyAsync(
                () -> new Overview(
                        presenceRegistry.presentMembers().toList(),
                        lastPublishedSeq(),
                        proposals == null ? 0 : proposals.openCountConcerning(memberId)),
                loop);
    }

    /** The topic's event loop, on which listeners are called. */
    public EventExecutor loop() {
        return loop;
    }

    /** The dispatcher for envelopes that members send. */
    InboundEnvelopeDispatcher inboundDispatcher() {
        return inboundDispatcher;
    }

    MemberRegistry memberRegistry() {
        return memberRegistry;
    }

    PresenceRegistry presenceRegistry() {
        return presenceRegistry;
    }

    @Nullable
    TopicProposals proposals() {
        return proposals;
    }

    TopicCounters counters() {
        return counters;
    }

    /** Returns the topic's counters and gauges. Thread-safe. */
    public CompletableFuture<TopicMetricsSnapshot> metrics() {
        return CompletableFuture.supplyAsync(
                        () -> Optional.of(new TopicGaugeSampler(presenceRegistry, proposals).sample()), loop)
                .completeOnTimeout(Optional.empty(), GAUGE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(gauges -> counters.snapshot(name, broadcaster.deliveredCount(), gauges));
    }

    /**
     * A summary of a topic.
     *
     * @param seq the last published seq of its ledger; 0 if it has none
     * @param openProposals the number of open proposals; 0 if it has no ledger
     */
    public record Overview(List<Member> participants, long seq, int openProposals) {
        public Overview {
            participants = List.copyOf(participants);
        }
    }

    /** Updates presence when pollers join and leave. */
    private final class PollerPresenceUpdater implements LongPollHandler.PollerListener {
        @Override
        public void onPollerJoined(LiveMembership member) {
            if (presenceRegistry.addPoller(member)) {
                announceJoin(member.member(), null, clock.instant());
            }
        }

        @Override
        public void onPollerLeft(LiveMembership member) {
            if (presenceRegistry.removePoller(member, clock.instant())) {
                announceLeave(member.member());
            }
        }
    }

    /** Reads the open proposals from the ledger. Call it before clients connect, and not on an event loop. */
    public void open() {
        if (proposals != null) {
            proposals.loadTracked();
        }
    }

    /** Runs a task on the topic's loop; at once if called on that loop. */
    public void runOnLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Admits a connection, once the proposals that concern its member are loaded. */
    void join(TopicConnection connection) {
        connection.connectionNumber(++lastConnectionNumber);
        if (connection.isSocket()) {
            connection.socketPrecedence(presenceRegistry.nextSocketPrecedence(
                    connection.membership().id(), clock.instant()));
        }
        if (proposals == null) {
            completeJoin(connection, WelcomeProposalList.NONE);
        } else {
            // A client that was connected to another process may know later events than this process has read, and must
            // not be sent them twice.
            proposals.whenCaughtUp(
                    connection.member().id(),
                    connection.since(),
                    CATCH_UP_TIMEOUT_MILLIS,
                    () -> proposals.loadWelcomeProposals(
                            connection.member(), welcomeProposalList -> completeJoin(connection, welcomeProposalList)));
        }
    }

    /**
     * Sends a connection its welcome, and announces its member to the others if it was absent before. A member has at
     * most one socket, so a newer socket replaces the earlier one; other connections replace nothing.
     */
    private void completeJoin(TopicConnection newcomer, WelcomeProposalList welcomeProposalList) {
        if (newcomer.isClosed()) {
            // The client disconnected before its welcome; the envelopes that it sent still count.
            newcomer.inboundQueue().startProcessing();
            inboundDispatcher.drainQueue(newcomer);
            return;
        }
        if (newcomer.isRevoked()) {
            newcomer.close(ConnectionCloseReason.REVOKED);
            return;
        }
        if (draining) {
            newcomer.close(ConnectionCloseReason.RESTARTING);
            return;
        }
        Member member = newcomer.member();
        List<TopicConnection> sockets = newcomer.isSocket()
                ? presenceRegistry.connectionsOf(member.id()).stream()
                        .filter(TopicConnection::isSocket)
                        .toList()
                : List.of();
        if (sockets.stream().anyMatch(other -> other.connectionNumber() > newcomer.connectionNumber())
                || (newcomer.isSocket() && presenceRegistry.isSuperseded(newcomer))) {
            // It connected before the other socket, but its welcome took longer.
            newcomer.close(ConnectionCloseReason.REPLACED);
            return;
        }
        sockets.forEach(this::detach);
        boolean wasAbsent = sockets.isEmpty() && presenceRegistry.addConnection(newcomer);
        if (!sockets.isEmpty()) {
            presenceRegistry.replaceConnections(sockets, newcomer);
        }
        broadcaster.add(newcomer);
        Instant now = clock.instant();
        broadcaster.sendTo(
                newcomer.receiver(),
                systemMessages.welcome(member, otherPresentMembers(member), welcomeProposalList, now));
        if (proposals != null) {
            proposals.startReplay(newcomer, newcomer.since().orElse(welcomeProposalList.seq()));
        }
        if (wasAbsent) {
            announceJoin(member, newcomer, now);
        }
        newcomer.inboundQueue().startProcessing();
        inboundDispatcher.drainQueue(newcomer);
        // Last, because closing a connection calls back into leave().
        sockets.forEach(connection -> connection.close(ConnectionCloseReason.REPLACED));
    }

    /** Announces a member that is now present in another process and was absent before. */
    void announceRemoteJoin(Member member) {
        announceJoin(member, null, clock.instant());
    }

    private void announceJoin(Member member, @Nullable TopicConnection connection, Instant now) {
        broadcaster.broadcast(
                connection == null ? null : connection.receiver(), systemMessages.memberJoined(member, now));
        listener.onParticipantJoined(this, member);
        if (proposals != null) {
            proposals.onParticipantJoined();
        }
    }

    /** Removes a connection, and announces that its member left if it is now absent. */
    void leave(TopicConnection connection) {
        if (!connection.isClosed()) {
            detach(connection);
            if (presenceRegistry.removeConnection(connection, clock.instant())) {
                announceLeave(connection.member());
            }
        }
    }

    private void announceChange(Member member) {
        broadcaster.broadcast(null, systemMessages.memberChanged(member, clock.instant()));
    }

    /** Announces that a member is no longer present in any process. */
    void announceLeave(Member member) {
        broadcaster.broadcast(null, systemMessages.memberLeft(member, clock.instant()));
        listener.onParticipantLeft(this, member);
        if (callRecorder != null) {
            callRecorder.onParticipantLeft(member.id());
        }
        if (proposals != null) {
            proposals.onParticipantLeft();
        }
    }

    private void detach(TopicConnection connection) {
        connection.markClosed();
        broadcaster.remove(connection);
    }

    /** Returns the present members except one. */
    private List<Member> otherPresentMembers(Member member) {
        return presenceRegistry
                .presentMembers()
                .filter(other -> !other.id().equals(member.id()))
                .toList();
    }

    /**
     * Makes this process receive the topic's traffic from other processes, even without local participants, until the
     * subscription is closed. Thread-safe.
     */
    public RemoteTrafficSubscription subscribeToRemote() {
        runOnLoop(() -> presenceRegistry.addRemoteSubscribers(1));
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (!closed.getAndSet(true)) {
                runOnLoop(() -> presenceRegistry.addRemoteSubscribers(-1));
            }
        };
    }

    /** A subscription to a topic's traffic in other processes. */
    @FunctionalInterface
    public interface RemoteTrafficSubscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Processes an envelope that was submitted without a connection.
     *
     * @param tokenHash the hash of the token with which the member authenticated
     */
    public CompletionStage<SubmitResult> submit(
            Member member, Optional<String> tokenHash, AdmissionResult admissionResult) {
        return inboundDispatcher.submit(member, tokenHash, false, admissionResult);
    }

    /**
     * As {@link #submit}, for the proposal of a member that waits for the result: if the member waits for an equal
     * proposal already, nothing is stored, and the result has the id of that proposal.
     */
    public CompletionStage<SubmitResult> submitOrJoin(
            Member member, Optional<String> tokenHash, AdmissionResult admissionResult) {
        return inboundDispatcher.submit(member, tokenHash, true, admissionResult);
    }

    /** Closes every open connection and every later one, because the process stops. */
    public void drain() {
        draining = true;
        if (proposals != null) {
            proposals.drain();
        }
        broadcaster.flush();
        presenceRegistry.allConnections().forEach(connection -> connection.close(ConnectionCloseReason.RESTARTING));
    }
}

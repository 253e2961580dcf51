package dev.gavel.gateway;

import dev.gavel.gateway.admission.AdmissionPolicy;
import dev.gavel.gateway.admission.RateLimitedAdmission;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolDefinitionDirectory;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.topic.CompositeTopicListener;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.SystemMessageFactory;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.gateway.topic.TopicServices;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Holds all topics of this process, connects members to them, and accepts envelopes from members and from code in the
 * process. Thread-safe.
 */
public final class Gateway {
    /** The number of bytes by which stamping an envelope with its sender, time and recipients may lengthen it. */
    private static final int MAX_STAMP_BYTES = 64 * 1024;

    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Bus bus;
    private final RateLimitedAdmission admission;
    private final CompositeTopicListener compositeTopicListener = new CompositeTopicListener();
    private volatile CallOfferDirectory callOfferDirectory = CallOfferDirectory.NONE;
    private volatile ToolDefinitionDirectory toolDefinitionDirectory = ToolDefinitionDirectory.EMPTY;
    private volatile boolean shuttingDown;
    private volatile boolean draining;

    /**
     * Creates a gateway whose topics only this process serves.
     *
     * @param loops the event loops over which the topics are distributed
     * @param ioExecutor runs tasks that block on the disk; members take turns
     */
    public Gateway(
            Map<String, TopicConfig> topicConfigs,
            List<? extends EventExecutor> loops,
            GatewayLimits gatewayLimits,
            FairExecutor ioExecutor,
            InstantSource clock) {
        this(
                topicConfigs,
                loops,
                gatewayLimits,
                ioExecutor,
                clock,
                new SingleProcessBus("alone"),
                new RemoteLedgerWriteDispatcher());
    }

    /**
     * Creates a gateway whose topics other processes serve too.
     *
     * @param bus connects this process with the others
     * @param remoteLedgerWriteDispatcher notifies the topics when another process wrote to the ledger
     */
    public Gateway(
            Map<String, TopicConfig> topicConfigs,
            List<? extends EventExecutor> loops,
            GatewayLimits gatewayLimits,
            FairExecutor ioExecutor,
            InstantSource clock,
            Bus bus,
            RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        this.bus = bus;
        this.admission =
                new RateLimitedAdmission(new AdmissionPolicy(gatewayLimits.envelope()), gatewayLimits.ratePerSecond());
        TopicServices topicServices = new TopicServices(
                clock,
                new SystemMessageFactory(),
                ioExecutor,
                gatewayLimits.maxOpenProposals(),
                compositeTopicListener,
                (topic, participant, call) -> callOfferDirectory.offers(topic, participant, call),
                toolDefinitions(),
                bus,
                remoteLedgerWriteDispatcher,
                new EnvelopeReader(gatewayLimits
                        .envelope()
                        .withBytes(
                                gatewayLimits.envelope().bytes() + MAX_STAMP_BYTES,
                                gatewayLimits.envelope().answerBytes() + MAX_STAMP_BYTES)));
        topicConfigs.forEach((name, topicConfig) -> {
            EventExecutor loop = loops.get(topics.size() % loops.size());
            topics.put(name, new Topic(name, topicConfig, loop, topicServices));
        });
    }

    /**
     * Limits that apply to each identity.
     *
     * @param envelope limits on the size and structure of an envelope
     * @param ratePerSecond envelopes per second that one identity may send
     * @param maxOpenProposals open proposals that one identity may have in a topic
     */
    public record GatewayLimits(EnvelopeLimits envelope, int ratePerSecond, int maxOpenProposals) {}

    /** Reads the open proposals from the ledger. Call it before clients connect, and not on an event loop. */
    public void loadOpenProposals() {
        topics.values().forEach(Topic::open);
    }

    /** Registers a listener for the events of all topics, from now on. */
    public void addListener(TopicListener listener) {
        compositeTopicListener.add(listener);
    }

    /**
     * Checks the access of senders and proposers with this source from now on, and withdraws the open proposals of
     * identities that have lost their access while no process ran.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // clients need not wait for it
    public void setAccessSource(IdentityAccessSource accessSource) {
        topics.values().forEach(topic -> {
            topic.setAccessSource(accessSource);
            topic.onAccessChanged(Optional.empty());
        });
    }

    /** Sets the directory that is queried for the members that can run a call. */
    public void setCallOfferDirectory(CallOfferDirectory directory) {
        callOfferDirectory = directory;
    }

    /** Sets the directory that is queried for the definitions of tools. */
    public void setToolDefinitionDirectory(ToolDefinitionDirectory directory) {
        toolDefinitionDirectory = directory;
    }

    /** Returns the directory of the tools that the topics' participants offer. */
    public ToolDefinitionDirectory toolDefinitions() {
        return new ToolDefinitionDirectory() {
            @Override
            public Optional<ToolDefinition> find(String topic, String participant, String tool) {
                return toolDefinitionDirectory.find(topic, participant, tool);
            }

            @Override
            public Optional<ToolDefinition> findPrompt(String topic, String participant, String prompt) {
                return toolDefinitionDirectory.findPrompt(topic, participant, prompt);
            }

            @Override
            public List<ToolDefinition> findAll(String topic) {
                return toolDefinitionDirectory.findAll(topic);
            }

            @Override
            public List<ToolDefinition> findLatest(String topic, String tool) {
                return toolDefinitionDirectory.findLatest(topic, tool);
            }

            @Override
            public ToolListState listState(String topic, String participant) {
                return toolDefinitionDirectory.listState(topic, participant);
            }

            @Override
            public CompletionStage<Void> awaitRefetch(String topic, Collection<String> participants) {
                return toolDefinitionDirectory.awaitRefetch(topic, participants);
            }

            @Override
            public boolean isLoaded(String topic, String participant) {
                return toolDefinitionDirectory.isLoaded(topic, participant);
            }

            @Override
            public CompletionStage<Void> load(String topic) {
                return toolDefinitionDirectory.load(topic);
            }
        };
    }

    /** The bus that connects this process with others that serve the same topics. */
    public Bus bus() {
        return bus;
    }

    /** Returns the topic of that name, if it is configured. */
    public Optional<Topic> topic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /** All topics, in the order they were configured. */
    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    /** Returns a snapshot of the counters and gauges of each topic. */
    public CompletionStage<List<TopicMetricsSnapshot>> metrics() {
        List<CompletableFuture<TopicMetricsSnapshot>> futures =
                topics.values().stream().map(Topic::metrics).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(all -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** Whether an identity may open a connection or send a request now; false if it exceeds its rate limit. */
    public boolean tryAcquireRequest(String identity) {
        return admission.tryAcquireRequest(identity);
    }

    /**
     * Opens a connection of a member to a topic. The transport then reports its events to the connection.
     *
     * @param revocableAccessGrant the grant with which the member connects; revoking it closes the connection
     */
    public TopicConnection connect(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            EnvelopeSyntax syntaxVersion,
            TransportChannel transportChannel) {
        return new TopicConnection(
                topic,
                membership,
                revocableAccessGrant,
                subscribeOptions,
                new ConnectionDeliveryState(transportChannel, syntaxVersion),
                admission::admit);
    }

    /**
     * Connects a member to a topic within this process. Envelopes sent over this connection do not count against the
     * member's rate limit.
     *
     * @param revocableAccessGrant the grant with which the member connects; revoking it closes the connection
     */
    public InProcessConnection connectInProcess(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            InProcessConnection.Listener listener) {
        InProcessConnection inProcessConnection = new InProcessConnection(
                topic, membership, revocableAccessGrant, subscribeOptions, admission::admitInternal, listener);
        inProcessConnection.open();
        return inProcessConnection;
    }

    /**
     * Submits one envelope of a member that need not be connected.
     *
     * @param accessGrant the grant of the request; if its token ends before the envelope is decided, the envelope is
     *     refused
     */
    public CompletionStage<SubmitResult> submit(
            Topic topic, Member member, RevocableAccessGrant accessGrant, byte[] envelope) {
        return topic.submit(member, accessGrant.tokenHash(), admission.admit(envelope, member));
    }

    /**
     * Submits an envelope that this process itself sends in a member's name. It does not count against the member's
     * rate limit.
     *
     * @param member the member, with the capabilities that the envelope needs
     */
    public CompletionStage<SubmitResult> submitInternal(Topic topic, Member member, byte[] envelope) {
        return topic.submit(member, Optional.empty(), admission.admitInternal(envelope, member));
    }

    /**
     * Like {@link #submitInternal(Topic, Member, byte[])}, for an envelope that a client's request caused.
     *
     * @param accessGrant the grant of the request; if its token ends before the envelope is decided, the envelope is
     *     refused
     */
    public CompletionStage<SubmitResult> submitInternal(
            Topic topic, Member member, RevocableAccessGrant accessGrant, byte[] envelope) {
        return topic.submit(member, accessGrant.tokenHash(), admission.admitInternal(envelope, member));
    }

    /**
     * Like {@link #submitInternal(Topic, Member, RevocableAccessGrant, byte[])}, for a proposal whose proposer waits for
     * the result. If the proposer waits for an equal proposal already, perhaps at another process, nothing is stored, and
     * the result has the id of that proposal.
     */
    public CompletionStage<SubmitResult> submitOrJoinInternal(
            Topic topic, Member member, RevocableAccessGrant accessGrant, byte[] envelope) {
        return topic.submitOrJoin(member, accessGrant.tokenHash(), admission.admitInternal(envelope, member));
    }

    /**
     * Records that the process is about to stop, so that {@link #isShuttingDown} returns true. Clients can still
     * connect.
     */
    public void markShuttingDown() {
        shuttingDown = true;
    }

    /** Refuses new connections and closes the open ones, because the process stops. */
    public void drain() {
        shuttingDown = true;
        draining = true;
        topics.values().forEach(topic -> topic.runOnLoop(topic::drain));
    }

    /** Whether the process has announced that it is about to stop. */
    public boolean isShuttingDown() {
        return shuttingDown;
    }

    /** Whether the process refuses new connections because it is about to stop. */
    public boolean isDraining() {
        return draining;
    }
}

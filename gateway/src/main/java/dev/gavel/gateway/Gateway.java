package dev.gavel.gateway;

import dev.gavel.gateway.admission.AdmissionPolicy;
import dev.gavel.gateway.admission.RateLimitedAdmission;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.RemoteLedgerWriteNotifier;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.delivery.EnvelopeReceiver;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.metrics.TopicMetrics;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.topic.CompositeTopicListener;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.SystemMessageFactory;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.gateway.topic.TopicServices;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.SyntaxVersion;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Owns the topics of this process, opens connections to them, and takes envelopes from members and from in-process
 * callers. Thread-safe.
 */
public final class Gateway {
    /** So much longer an envelope may become by being stamped with its sender, time and recipients. */
    private static final int MAX_STAMP_BYTES = 64 * 1024;

    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Bus bus;
    private final RateLimitedAdmission admission;
    private final CompositeTopicListener compositeTopicListener = new CompositeTopicListener();
    private volatile CallOfferDirectory callOfferDirectory = CallOfferDirectory.NONE;
    private volatile boolean shuttingDown;
    private volatile boolean draining;

    /**
     * A gateway for a number of topics.
     *
     * @param loops the event loops to spread the topics over
     * @param reading runs what waits for the disk
     */
    public Gateway(
            Map<String, TopicConfig> plans,
            List<? extends EventExecutor> loops,
            GatewayLimits gatewayLimits,
            Executor reading,
            InstantSource clock) {
        this(
                plans,
                loops,
                gatewayLimits,
                reading,
                clock,
                new SingleProcessBus("alone"),
                new RemoteLedgerWriteNotifier());
    }

    /**
     * A gateway whose topics other processes serve too.
     *
     * @param bus what lies between them
     * @param remoteLedgerWriteNotifier tells when they wrote to the ledger
     */
    public Gateway(
            Map<String, TopicConfig> plans,
            List<? extends EventExecutor> loops,
            GatewayLimits gatewayLimits,
            Executor reading,
            InstantSource clock,
            Bus bus,
            RemoteLedgerWriteNotifier remoteLedgerWriteNotifier) {
        this.bus = bus;
        this.admission =
                new RateLimitedAdmission(new AdmissionPolicy(gatewayLimits.envelope()), gatewayLimits.ratePerSecond());
        TopicServices topicServices = new TopicServices(
                clock,
                new SystemMessageFactory(),
                reading,
                gatewayLimits.maxOpenProposals(),
                compositeTopicListener,
                (topic, participant, call) -> callOfferDirectory.offers(topic, participant, call),
                bus,
                remoteLedgerWriteNotifier,
                new EnvelopeReader(gatewayLimits
                        .envelope()
                        .withBytes(gatewayLimits.envelope().bytes() + MAX_STAMP_BYTES)));
        plans.forEach((name, plan) -> {
            EventExecutor loop = loops.get(topics.size() % loops.size());
            topics.put(name, new Topic(name, plan, loop, topicServices));
        });
    }

    /**
     * What nobody may exceed.
     *
     * @param ratePerSecond envelopes a second of one identity
     * @param maxOpenProposals open proposals of one identity in a topic
     */
    public record GatewayLimits(EnvelopeLimits envelope, int ratePerSecond, int maxOpenProposals) {}

    /** Reads what the ledger keeps open: before anybody connects, and not on an event loop. */
    public void open() {
        topics.values().forEach(Topic::open);
    }

    /** Has somebody hear what goes on in all topics from now on. */
    public void addListener(TopicListener listener) {
        compositeTopicListener.add(listener);
    }

    /** From now on this is whom to ask who can run a call. */
    public void setCallOfferDirectory(CallOfferDirectory directory) {
        callOfferDirectory = directory;
    }

    /** What lies between this process and others that serve the same topics. */
    public Bus bus() {
        return bus;
    }

    /** The topic of that name. */
    public Optional<Topic> topic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /** All topics, in the order they were configured. */
    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    /** What happened in each topic, and how it is there now. */
    public CompletionStage<List<TopicMetrics>> metrics() {
        List<CompletableFuture<TopicMetrics>> coming =
                topics.values().stream().map(Topic::metrics).toList();
        return CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(all -> coming.stream().map(CompletableFuture::join).toList());
    }

    /** Whether somebody may open a connection or ask something now; one that does so too fast may not. */
    public boolean mayJoin(String identity) {
        return admission.mayJoin(identity);
    }

    /**
     * Opens a connection of a member to a topic; the transport then tells it what happens.
     *
     * @param revocableAccessGrant what they came with; the connection ends with it
     */
    public TopicConnection connect(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            SyntaxVersion syntaxVersion,
            TransportChannel transportChannel) {
        return new TopicConnection(
                topic,
                membership,
                revocableAccessGrant,
                subscribeOptions,
                new EnvelopeReceiver(transportChannel, syntaxVersion),
                admission::admit);
    }

    /**
     * Gives a member a place in a topic within this process; what they send from there is not counted against their rate.
     *
     * @param revocableAccessGrant what they came with; the seat is lost with it
     */
    public InProcessConnection connectInProcess(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            InProcessConnection.Listener guest) {
        InProcessConnection inProcessConnection = new InProcessConnection(
                topic, membership, revocableAccessGrant, subscribeOptions, admission::admitInternal, guest);
        inProcessConnection.open();
        return inProcessConnection;
    }

    /** Takes one envelope of a member that need not be connected. */
    public CompletionStage<SubmitResult> submit(Topic topic, Member member, byte[] envelope) {
        return topic.submit(member, admission.admit(envelope, member));
    }

    /**
     * Takes an envelope that this process itself sends in somebody's name. It is not counted against their rate.
     *
     * @param member with whatever capabilities the sending needs
     */
    public CompletionStage<SubmitResult> submitInternal(Topic topic, Member member, byte[] envelope) {
        return topic.submit(member, admission.admitInternal(envelope, member));
    }

    /** Lets it be known that the process is about to end, and nothing else: whoever comes is let in as before. */
    public void announceShutdown() {
        shuttingDown = true;
    }

    /** Takes no more connections and closes those there are, because the process ends. */
    public void drain() {
        shuttingDown = true;
        draining = true;
        topics.values().forEach(topic -> topic.run(topic::drain));
    }

    /** Whether it is known that the process is about to end. */
    public boolean isShuttingDown() {
        return shuttingDown;
    }

    /** Whether the process takes no more connections, being about to end. */
    public boolean isDraining() {
        return draining;
    }
}

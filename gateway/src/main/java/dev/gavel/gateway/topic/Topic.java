package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.bus.TopicBusChannel;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.MemberRegistry;
import dev.gavel.gateway.metrics.TopicCounters;
import dev.gavel.gateway.metrics.TopicMetrics;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.mcpx.Envelope;
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
 * proposals. It lives on one event loop; everything but looking members up and {@link #run} happens there.
 */
public final class Topic {
    /** How long somebody who comes waits until this process has read what they know. */
    private static final long CATCH_UP_TIMEOUT_MILLIS = 3_000;

    /** A loop that is so busy has something better to do than to say how it is. */
    private static final long GAUGE_TIMEOUT_MILLIS = 2_000;

    private final String name;
    private final MemberRegistry memberRegistry;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final SystemMessageFactory systemMessages;
    private final TopicListener listener;
    private final TopicBroadcaster broadcaster;
    private final PresenceRegistry presenceRegistry;
    private final TopicCounters counters = new TopicCounters();

    /** What becomes of proposals; null where the topic has no ledger and they are envelopes like any other. */
    private final @Nullable TopicProposals proposals;

    private final Optional<ProposalQueries> proposalQueries;
    private final MembershipUpdater membershipUpdater;
    private final InboundEnvelopeDispatcher inboundDispatcher;

    private long connectionCount;

    private boolean draining;

    public Topic(String name, TopicConfig plan, EventExecutor loop, TopicServices topicServices) {
        this.name = name;
        this.memberRegistry = new MemberRegistry(plan.members());
        this.loop = loop;
        this.clock = topicServices.clock();
        this.systemMessages = topicServices.systemMessages();
        this.listener = topicServices.listener();
        this.broadcaster = new TopicBroadcaster(new DeliveryBatcher(loop, ByteBufAllocator.DEFAULT));
        TopicBusChannel topicBusChannel = topicServices.bus().topicChannel(name);
        boolean alone = topicServices.bus() instanceof SingleProcessBus;
        this.presenceRegistry = new PresenceRegistry(
                memberRegistry.ids(),
                clock.instant(),
                topicBusChannel,
                topicServices.bus().process());
        EnvelopeRouter envelopeRouter = new EnvelopeRouter(
                broadcaster,
                (from, envelope) -> listener.onEnvelope(this, from, envelope),
                this::seq,
                alone ? null : topicBusChannel);
        this.proposals = plan.proposalStore()
                .map(proposalStore -> new TopicProposals(
                        proposalStore,
                        loop,
                        topicServices,
                        presenceRegistry,
                        broadcaster,
                        new PollerPresence(),
                        counters,
                        new ProposalChangeForwarder(),
                        envelopeRouter))
                .orElse(null);
        this.proposalQueries = Optional.ofNullable(proposals).map(ProposalQueries::new);
        this.membershipUpdater = new MembershipUpdater(
                memberRegistry, loop, presenceRegistry, this::leave, this::announceChange, this, listener, proposals);
        this.inboundDispatcher = new InboundEnvelopeDispatcher(
                memberRegistry,
                presenceRegistry,
                broadcaster,
                counters,
                topicServices,
                this::run,
                envelopeRouter,
                proposals);
        if (proposals != null) {
            topicServices.writeNotifier().subscribe(name, proposals.ledgerListener());
        }
        if (!alone) {
            RemoteTopicListener remoteTopicListener = new RemoteTopicListener(this, loop, topicServices);
            loop.execute(() -> remoteTopicListener.onReachable(topicBusChannel.isAvailable()));
            // Last, since what it brings needs all of the above.
            topicBusChannel.open(loop, remoteTopicListener);
        }
    }

    private long seq() {
        return proposals == null ? 0 : proposals.seq();
    }

    /** Passes on what happens to proposals. */
    private final class ProposalChangeForwarder implements TopicProposals.ProposalChangeListener {
        @Override
        public void onChange(ProposalChange change) {
            listener.onProposalChange(Topic.this, change);
        }

        @Override
        public void onLocalWrite(ProposalChange change) {
            counters.countProposalEvent(change.after(), change.entry());
            listener.onProposalWrite(Topic.this, change);
        }

        @Override
        public void onRemoteEnvelope(Envelope envelope) {
            inboundDispatcher.onRemoteFulfilment(envelope);
        }
    }

    public String name() {
        return name;
    }

    /** What an identity is in this topic; nothing where it is no member. */
    public Optional<Member> member(String identity) {
        return memberRegistry.find(identity).map(LiveMembership::member);
    }

    /** An identity's place in this topic, which follows what becomes of it; nothing where it is no member. */
    public Optional<LiveMembership> membership(String identity) {
        return memberRegistry.find(identity);
    }

    /** All members, in the order they became members. */
    public List<Member> members() {
        return memberRegistry.members();
    }

    /**
     * Makes somebody a member, or lets a member send other things from now on. Done when that is so on open connections,
     * and for open proposals, unless the ledger is away or they are so many that it takes long. Thread-safe.
     */
    public CompletionStage<Void> addMember(Member member) {
        return membershipUpdater.addMember(member);
    }

    /** Takes a member out, and closes their connections; done as {@link #addMember} is. Thread-safe. */
    public CompletionStage<Void> removeMember(String identity) {
        return membershipUpdater.removeMember(identity);
    }

    /** What can be asked about its proposals; nothing where it has no ledger. */
    public Optional<ProposalQueries> proposalQueries() {
        return proposalQueries;
    }

    /** Who is here, and where the ledger stands. */
    public CompletionStage<Overview> overview() {
        return CompletableFuture.supplyAsync(
                () -> new Overview(
                        presenceRegistry.presentMembers().toList(),
                        seq(),
                        proposals == null ? 0 : proposals.openCount()),
                loop);
    }

    /** The loop it lives on, where listeners are called. */
    public EventExecutor loop() {
        return loop;
    }

    /** Where what members send comes in. */
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

    /** What happened here, and how it is now. Thread-safe. */
    public CompletableFuture<TopicMetrics> metrics() {
        return CompletableFuture.supplyAsync(
                        () -> Optional.of(new TopicGaugeSampler(presenceRegistry, proposals).sample()), loop)
                .completeOnTimeout(Optional.empty(), GAUGE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(gauges -> counters.snapshot(name, broadcaster.deliveredCount(), gauges));
    }

    /**
     * A topic at a glance.
     *
     * @param seq the last seq of its ledger that everybody has been told of; 0 where it has none
     * @param open how many proposals are open; 0 where it has no ledger
     */
    public record Overview(List<Member> participants, long seq, int open) {
        public Overview {
            participants = List.copyOf(participants);
        }
    }

    /** Where those who poll come in and go out. */
    private final class PollerPresence implements LongPollHandler.PollerListener {
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

    /** Reads what the ledger keeps open; not on an event loop, and before anybody connects. */
    public void open() {
        if (proposals != null) {
            proposals.open();
        }
    }

    /** Does something on the topic's loop: at once if that is where we are. */
    public void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Lets a connection in, once it is known what waits on its member. */
    void join(TopicConnection newcomer) {
        newcomer.arrivalNumber(++connectionCount);
        if (newcomer.isSocket()) {
            newcomer.claim(presenceRegistry.nextClaim(newcomer.membership().id(), clock.instant()));
        }
        if (proposals == null) {
            admit(newcomer, WelcomeProposals.NONE);
        } else {
            // Who comes from another process may know more than this one has read, and is told nothing twice.
            proposals.whenCaughtUp(
                    newcomer.since(),
                    CATCH_UP_TIMEOUT_MILLIS,
                    () -> proposals.loadWelcomeProposals(
                            newcomer.member(), welcomeProposals -> admit(newcomer, welcomeProposals)));
        }
    }

    /**
     * Welcomes a connection; then everybody else hears of it if it is its member's first. A member has one socket at
     * most, so a newer one takes the place of the one before; nothing else replaces anything.
     */
    private void admit(TopicConnection newcomer, WelcomeProposals welcomeProposals) {
        if (newcomer.isClosed()) {
            // It did not wait for its welcome; what it said counts all the same.
            newcomer.inboundQueue().open();
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
        if (sockets.stream().anyMatch(other -> other.arrivalNumber() > newcomer.arrivalNumber())
                || (newcomer.isSocket() && presenceRegistry.isSuperseded(newcomer))) {
            // It came first, and was only slower to be welcomed.
            newcomer.close(ConnectionCloseReason.REPLACED);
            return;
        }
        sockets.forEach(this::remove);
        boolean first = sockets.isEmpty() && presenceRegistry.addConnection(newcomer);
        if (!sockets.isEmpty()) {
            presenceRegistry.replaceConnections(sockets, newcomer);
        }
        broadcaster.add(newcomer);
        Instant now = clock.instant();
        broadcaster.sendTo(
                newcomer.receiver(), systemMessages.welcome(member, otherMembers(member), welcomeProposals, now));
        if (proposals != null) {
            proposals.startReplay(newcomer, newcomer.since().orElse(welcomeProposals.seq()));
        }
        if (first) {
            announceJoin(member, newcomer, now);
        }
        newcomer.inboundQueue().open();
        inboundDispatcher.drainQueue(newcomer);
        // Last, since closing a connection comes back here as its leaving.
        sockets.forEach(connection -> connection.close(ConnectionCloseReason.REPLACED));
    }

    /** Somebody is present in another process, and was nowhere before. */
    void announceRemoteJoin(Member member) {
        announceJoin(member, null, clock.instant());
    }

    private void announceJoin(Member member, @Nullable TopicConnection by, Instant now) {
        broadcaster.broadcast(by == null ? null : by.receiver(), systemMessages.joined(member, now));
        listener.onParticipantJoined(this, member);
        if (proposals != null) {
            proposals.onParticipantJoined();
        }
    }

    /** Takes a connection out; everybody else hears of it if it was its member's last. */
    void leave(TopicConnection connection) {
        if (!connection.isClosed()) {
            remove(connection);
            if (presenceRegistry.removeConnection(connection, clock.instant())) {
                announceLeave(connection.member());
            }
        }
    }

    private void announceChange(Member member) {
        broadcaster.broadcast(null, systemMessages.changed(member, clock.instant()));
    }

    /** Somebody is here no more, in whatever process. */
    void announceLeave(Member member) {
        broadcaster.broadcast(null, systemMessages.left(member, clock.instant()));
        listener.onParticipantLeft(this, member);
        if (proposals != null) {
            proposals.onParticipantLeft();
        }
    }

    private void remove(TopicConnection connection) {
        connection.markClosed();
        broadcaster.remove(connection);
    }

    /** The members that are here, less one. */
    private List<Member> otherMembers(Member member) {
        return presenceRegistry
                .presentMembers()
                .filter(other -> !other.id().equals(member.id()))
                .toList();
    }

    /**
     * Has this process hear what is said here, though nobody is connected to it who takes part, until that is closed.
     * Thread-safe.
     */
    public RemoteTrafficSubscription subscribeToRemote() {
        run(() -> presenceRegistry.addInterest(1));
        AtomicBoolean over = new AtomicBoolean();
        return () -> {
            if (!over.getAndSet(true)) {
                run(() -> presenceRegistry.addInterest(-1));
            }
        };
    }

    /** Somebody's wish to hear what is said in a topic. */
    @FunctionalInterface
    public interface RemoteTrafficSubscription extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes an envelope that came without a connection. */
    public CompletionStage<SubmitResult> submit(Member member, AdmissionResult admissionResult) {
        return inboundDispatcher.submit(member, admissionResult);
    }

    /** Closes every connection, now and from now on, because the process ends. */
    public void drain() {
        draining = true;
        if (proposals != null) {
            proposals.drain();
        }
        broadcaster.flush();
        presenceRegistry.allConnections().forEach(connection -> connection.close(ConnectionCloseReason.RESTARTING));
    }
}

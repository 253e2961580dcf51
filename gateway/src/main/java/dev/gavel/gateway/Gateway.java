package dev.gavel.gateway;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.NoBus;
import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.gateway.measure.TopicMeasures;
import dev.gavel.gateway.proposal.Offers;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Spelling;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The topics of this process, each on one of its event loops. Thread-safe. */
public final class Gateway {
    /** So much longer an envelope may become by being stamped with its sender, time and recipients. */
    private static final int STAMPS = 64 * 1024;

    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Bus bus;
    private final Entrance entrance;
    private final Listeners listeners = new Listeners();
    private volatile Offers offers = Offers.NONE;
    private volatile boolean leaving;
    private volatile boolean draining;

    /**
     * A gateway for a number of topics.
     *
     * @param loops the event loops to spread the topics over
     * @param reading runs what waits for the disk
     */
    public Gateway(
            Map<String, TopicPlan> plans,
            List<? extends EventExecutor> loops,
            Bounds bounds,
            Executor reading,
            InstantSource clock) {
        this(plans, loops, bounds, reading, clock, new NoBus("alone"), new Lookout());
    }

    /**
     * A gateway whose topics other processes serve too.
     *
     * @param bus what lies between them
     * @param lookout tells when they wrote to the ledger
     */
    public Gateway(
            Map<String, TopicPlan> plans,
            List<? extends EventExecutor> loops,
            Bounds bounds,
            Executor reading,
            InstantSource clock,
            Bus bus,
            Lookout lookout) {
        this.bus = bus;
        this.entrance = new Entrance(new Admission(bounds.envelope()), bounds.rate());
        Surroundings surroundings = new Surroundings(
                clock,
                new Notices(),
                reading,
                bounds.open(),
                listeners,
                (topic, participant, call) -> offers.offers(topic, participant, call),
                bus,
                lookout,
                new EnvelopeReader(bounds.envelope().withBytes(bounds.envelope().bytes() + STAMPS)));
        plans.forEach((name, plan) -> {
            EventExecutor loop = loops.get(topics.size() % loops.size());
            topics.put(name, new Topic(name, plan, loop, surroundings));
        });
    }

    /**
     * What nobody may exceed.
     *
     * @param rate envelopes a second of one identity
     * @param open open proposals of one identity in a topic
     */
    public record Bounds(Limits envelope, int rate, int open) {}

    /** Reads what the ledger keeps open: before anybody connects, and not on an event loop. */
    public void open() {
        topics.values().forEach(Topic::open);
    }

    /** Has somebody hear what goes on in all topics from now on. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /** From now on this is whom to ask who can run a call. */
    public void consult(Offers directory) {
        offers = directory;
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
    public CompletionStage<List<TopicMeasures>> measures() {
        List<CompletableFuture<TopicMeasures>> coming =
                topics.values().stream().map(Topic::measures).toList();
        return CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(all -> coming.stream().map(CompletableFuture::join).toList());
    }

    /** Whether somebody may open a connection or ask something now; one that does so too fast may not. */
    public boolean mayJoin(String identity) {
        return entrance.mayJoin(identity);
    }

    /**
     * Opens a connection of a member to a topic; the transport then tells it what happens.
     *
     * @param warrant what they came with; the connection ends with it
     */
    public Connection connect(
            Topic topic,
            Membership membership,
            Warrant warrant,
            Connection.Wish wish,
            Spelling spelling,
            Outlet outlet) {
        return new Connection(topic, membership, warrant, wish, new Receiver(outlet, spelling), entrance::judge);
    }

    /**
     * Gives a member a place in a topic within this process; what they send from there is not counted against their rate.
     *
     * @param warrant what they came with; the seat is lost with it
     */
    public Seat seat(Topic topic, Membership membership, Warrant warrant, Connection.Wish wish, Seat.Guest guest) {
        Seat seat = new Seat(topic, membership, warrant, wish, entrance::judgeOurs, guest);
        seat.take();
        return seat;
    }

    /** Takes one envelope of a member that need not be connected. */
    public CompletionStage<Posted> post(Topic topic, Member member, byte[] envelope) {
        return topic.post(member, entrance.judge(envelope, member));
    }

    /**
     * Takes an envelope that this process itself sends in somebody's name. It is not counted against their rate.
     *
     * @param member with whatever capabilities the sending needs
     */
    public CompletionStage<Posted> dispatch(Topic topic, Member member, byte[] envelope) {
        return topic.post(member, entrance.judgeOurs(envelope, member));
    }

    /** Lets it be known that the process is about to end, and nothing else: whoever comes is let in as before. */
    public void leave() {
        leaving = true;
    }

    /** Takes no more connections and closes those there are, because the process ends. */
    public void drain() {
        leaving = true;
        draining = true;
        topics.values().forEach(topic -> topic.run(topic::drain));
    }

    /** Whether it is known that the process is about to end. */
    public boolean leaving() {
        return leaving;
    }

    /** Whether the process takes no more connections, being about to end. */
    public boolean draining() {
        return draining;
    }
}

package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Spelling;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The topics of this process, each on one of its event loops. Thread-safe. */
public final class Gateway {
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Entrance entrance;
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
        this.entrance = new Entrance(new Admission(bounds.envelope()), bounds.rate());
        Surroundings surroundings = new Surroundings(clock, new Notices(), reading, bounds.open());
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

    /** The topic of that name. */
    public Optional<Topic> topic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /** All topics, in the order they were configured. */
    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    /** Whether a member may open a connection now; one that comes and goes too fast may not. */
    public boolean mayJoin(Member member) {
        return entrance.mayJoin(member);
    }

    /** Opens a connection of a member to a topic; the transport then tells it what happens. */
    public Connection connect(Topic topic, Member member, Connection.Wish wish, Spelling spelling, Outlet outlet) {
        return new Connection(topic, member, wish, new Receiver(outlet, spelling), entrance);
    }

    /** Takes one envelope of a member that need not be connected. */
    public CompletionStage<Posted> post(Topic topic, Member member, byte[] envelope) {
        return topic.post(member, entrance.judge(envelope, member));
    }

    /** Takes no more connections and closes those there are, because the process ends. */
    public void drain() {
        draining = true;
        topics.values().forEach(topic -> topic.run(topic::drain));
    }

    /** Whether the process is about to end. */
    public boolean draining() {
        return draining;
    }
}

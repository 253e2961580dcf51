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

/** The topics of this process, each on one of its event loops. Thread-safe. */
public final class Gateway {
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Entrance entrance;
    private volatile boolean draining;

    /**
     * A gateway for a number of topics.
     *
     * @param members each topic's members
     * @param loops the event loops to spread the topics over
     * @param rate envelopes a second of one identity
     */
    public Gateway(
            Map<String, List<Member>> members,
            List<? extends EventExecutor> loops,
            Limits limits,
            int rate,
            InstantSource clock) {
        this.entrance = new Entrance(new Admission(limits), rate);
        Notices notices = new Notices();
        members.forEach((name, who) -> {
            EventExecutor loop = loops.get(topics.size() % loops.size());
            topics.put(name, new Topic(name, who, loop, clock, notices));
        });
    }

    /** The topic of that name. */
    public Optional<Topic> topic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /** Whether a member may open a connection now; one that comes and goes too fast may not. */
    public boolean mayJoin(Member member) {
        return entrance.mayJoin(member);
    }

    /** Opens a connection of a member to a topic; the transport then tells it what happens. */
    public Connection connect(Topic topic, Member member, Mode mode, Spelling spelling, Outlet outlet) {
        return new Connection(topic, member, mode, new Receiver(outlet, spelling), entrance);
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

package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Delivery;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A shared space: what is sent there is seen there. It lives on one event loop; everything but {@link #member} and
 * {@link #run} happens there.
 */
public final class Topic {
    private final String name;
    private final Map<String, Member> members;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final Notices notices;
    private final Delivery delivery;

    /** Who is connected, by id, in the order they came. */
    private final Map<String, Connection> participants = new LinkedHashMap<>();

    /** The receivers that are not sent everything, with whose they are. */
    private final Map<Receiver, String> directed = new LinkedHashMap<>();

    private boolean draining;

    Topic(String name, List<Member> members, EventExecutor loop, InstantSource clock, Notices notices) {
        this.name = name;
        this.members = members.stream().collect(Collectors.toUnmodifiableMap(Member::id, member -> member));
        this.loop = loop;
        this.clock = clock;
        this.notices = notices;
        this.delivery = new Delivery(loop, ByteBufAllocator.DEFAULT);
    }

    public String name() {
        return name;
    }

    /** What an identity is in this topic; nothing where it is no member. */
    public Optional<Member> member(String identity) {
        return Optional.ofNullable(members.get(identity));
    }

    /** Does something on the topic's loop: at once if that is where we are. */
    void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Lets a connection in: it is welcomed first, then everybody else hears of it. */
    void join(Connection newcomer) {
        if (draining) {
            newcomer.receiver().outlet().close(Closing.RESTARTING);
            return;
        }
        Member member = newcomer.member();
        Connection replaced = participants.remove(member.id());
        if (replaced != null) {
            remove(replaced);
            replaced.receiver().outlet().close(Closing.REPLACED);
        }
        List<Member> present =
                participants.values().stream().map(Connection::member).toList();
        participants.put(member.id(), newcomer);
        Receiver receiver = newcomer.receiver();
        delivery.add(receiver);
        if (newcomer.mode() == Mode.DIRECTED) {
            directed.put(receiver, member.id());
        }
        delivery.toOne(receiver, notices.welcome(member, present, clock.instant()));
        if (replaced == null) {
            delivery.toAllBut(receiver, notices.joined(member, clock.instant()));
        }
    }

    /** Takes a connection out; everybody else hears of it, unless a newer one took its place. */
    void leave(Connection connection) {
        if (participants.remove(connection.member().id(), connection)) {
            remove(connection);
            delivery.toAllBut(null, notices.left(connection.member(), clock.instant()));
        }
    }

    private void remove(Connection connection) {
        delivery.remove(connection.receiver());
        directed.remove(connection.receiver());
    }

    /** Takes what a connection sent, in order. */
    void receive(Connection sender, List<Verdict> judged) {
        Instant now = clock.instant();
        for (Verdict verdict : judged) {
            switch (verdict) {
                case Verdict.Admit(Envelope envelope) -> {
                    respell(sender, envelope.spelling());
                    route(sender, envelope, now);
                }
                case Verdict.Refuse refused -> {
                    respell(sender, refused.refusal().spelling());
                    refuse(sender, refused, now);
                }
            }
        }
    }

    /** A connection that once wrote the old spelling is sent it from then on. */
    private void respell(Connection connection, Spelling spelling) {
        if (spelling == Spelling.V0_1) {
            delivery.respell(connection.receiver(), spelling);
        }
    }

    private void route(Connection sender, Envelope envelope, Instant now) {
        Recipients recipients = Recipients.of(envelope.to(), members::containsKey, this::able);
        for (String unknown : recipients.unknown()) {
            refuse(sender, new Verdict.Refuse(envelope.refuse(ErrorCode.UNKNOWN_RECIPIENT, unknown), 0), now);
        }
        if (recipients.nobody()) {
            return;
        }
        String from = sender.member().id();
        Outgoing outgoing = recipients.resolved()
                ? new Outgoing(spelling -> envelope.encode(spelling, from, now, List.copyOf(recipients.names())))
                : new Outgoing(spelling -> envelope.encode(spelling, from, now));
        if (recipients.broadcast()) {
            delivery.toAllBut(sender.receiver(), outgoing);
        } else {
            delivery.toAllBut(
                    sender.receiver(),
                    directed.keySet(),
                    receiver -> recipients.names().contains(directed.get(receiver)),
                    outgoing);
        }
    }

    /** Who is here and could send such an envelope. */
    private List<String> able(Kind kind) {
        return participants.values().stream()
                .map(Connection::member)
                .filter(member -> member.capabilities().admitsKind(kind))
                .map(Member::id)
                .toList();
    }

    private void refuse(Connection sender, Verdict.Refuse refused, Instant now) {
        delivery.toOne(sender.receiver(), notices.error(sender.member(), refused, now));
    }

    /** Closes every connection, now and from now on, because the process ends. */
    void drain() {
        draining = true;
        List.copyOf(participants.values())
                .forEach(connection -> connection.receiver().outlet().close(Closing.RESTARTING));
    }
}

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    /** Who is connected, by id, in the order they came, each with all its connections; never empty ones. */
    private final Map<String, List<Connection>> participants = new LinkedHashMap<>();

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

    /**
     * Lets a connection in: it is welcomed first, then everybody else hears of it if it is its member's first. A member
     * has one socket at most, so a newer one takes the place of the one before; nothing else replaces anything.
     */
    void join(Connection newcomer) {
        if (draining) {
            newcomer.receiver().outlet().close(Closing.RESTARTING);
            return;
        }
        Member member = newcomer.member();
        List<Connection> own = participants.computeIfAbsent(member.id(), id -> new ArrayList<>(1));
        boolean first = own.isEmpty();
        List<Connection> replaced =
                newcomer.isSocket() ? own.stream().filter(Connection::isSocket).toList() : List.of();
        own.removeAll(replaced);
        replaced.forEach(this::remove);
        own.add(newcomer);
        Receiver receiver = newcomer.receiver();
        delivery.add(receiver);
        if (newcomer.mode() == Mode.DIRECTED) {
            directed.put(receiver, member.id());
        }
        Instant now = clock.instant();
        delivery.toOne(receiver, notices.welcome(member, others(member), now));
        if (first) {
            delivery.toAllBut(receiver, notices.joined(member, now));
        }
        // Last, since closing a connection comes back here as its leaving.
        replaced.forEach(connection -> connection.receiver().outlet().close(Closing.REPLACED));
    }

    /** Takes a connection out; everybody else hears of it if it was its member's last. */
    void leave(Connection connection) {
        String id = connection.member().id();
        List<Connection> own = participants.get(id);
        if (own != null && own.remove(connection)) {
            remove(connection);
            if (own.isEmpty()) {
                participants.remove(id);
                delivery.toAllBut(null, notices.left(connection.member(), clock.instant()));
            }
        }
    }

    private void remove(Connection connection) {
        delivery.remove(connection.receiver());
        directed.remove(connection.receiver());
    }

    /** The members that are here, less one. */
    private List<Member> others(Member member) {
        return present().filter(other -> !other.id().equals(member.id())).toList();
    }

    private Stream<Member> present() {
        return participants.values().stream().map(own -> own.getFirst().member());
    }

    /** Takes an envelope that came without a connection. */
    CompletionStage<Posted> post(Member member, Verdict verdict) {
        if (verdict instanceof Verdict.Refuse refused) {
            return CompletableFuture.completedStage(new Posted.Refused(refused));
        }
        CompletableFuture<Posted> posted = new CompletableFuture<>();
        run(() -> {
            Posting posting = new Posting(member);
            boolean routed =
                    verdict instanceof Verdict.Admit(Envelope envelope) && route(posting, envelope, clock.instant());
            posted.complete(
                    routed ? new Posted.Taken(posting.refusals) : new Posted.Refused(posting.refusals.getFirst()));
        });
        return posted;
    }

    /** Somebody who posts one envelope: refusals become the answer. */
    private static final class Posting implements Sender {
        private final Member member;
        private final List<Verdict.Refuse> refusals = new ArrayList<>(0);

        Posting(Member member) {
            this.member = member;
        }

        @Override
        public Member member() {
            return member;
        }

        @Override
        public @Nullable Receiver receiver() {
            return null;
        }

        @Override
        public void refused(Verdict.Refuse refusal, Instant now) {
            refusals.add(refusal);
        }
    }

    /** Takes what a connection sent, in order. */
    void receive(Connection sender, List<Verdict> judged) {
        Instant now = clock.instant();
        for (Verdict verdict : judged) {
            if (!isHere(sender)) {
                // Closed meanwhile, perhaps by what came before: who has left says nothing more.
                return;
            }
            switch (verdict) {
                case Verdict.Admit(Envelope envelope) -> {
                    respell(sender, envelope.spelling());
                    route(sender, envelope, now);
                }
                case Verdict.Refuse refused -> {
                    respell(sender, refused.refusal().spelling());
                    sender.refused(refused, now);
                }
            }
        }
    }

    private boolean isHere(Connection connection) {
        return participants.getOrDefault(connection.member().id(), List.of()).contains(connection);
    }

    /** A connection that once wrote the old spelling is sent it from then on. */
    private void respell(Connection connection, Spelling spelling) {
        if (spelling == Spelling.V0_1) {
            delivery.respell(connection.receiver(), spelling);
        }
    }

    /** Sends an envelope on its way; says whether it goes anywhere. */
    private boolean route(Sender sender, Envelope envelope, Instant now) {
        Recipients recipients = Recipients.of(envelope.to(), members::containsKey, this::able);
        recipients
                .complaint()
                .ifPresent(complaint -> sender.refused(
                        new Verdict.Refuse(envelope.refuse(ErrorCode.UNKNOWN_RECIPIENT, complaint), 0), now));
        if (recipients.nobody()) {
            return false;
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
        return true;
    }

    /** Who is here and could send such an envelope. */
    private List<String> able(Kind kind) {
        return present()
                .filter(member -> member.capabilities().admitsKind(kind))
                .map(Member::id)
                .toList();
    }

    /** Tells a connection why something it sent was refused. */
    void tell(Connection sender, Verdict.Refuse refused, Instant now) {
        delivery.toOne(sender.receiver(), notices.error(sender.member(), refused, now));
    }

    /** Closes every connection, now and from now on, because the process ends. */
    void drain() {
        draining = true;
        delivery.flush();
        List<Connection> all =
                participants.values().stream().flatMap(List::stream).toList();
        all.forEach(connection -> connection.receiver().outlet().close(Closing.RESTARTING));
    }
}

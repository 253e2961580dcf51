package dev.gavel.gateway;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.NoBus;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Delivery;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.measure.TopicCounters;
import dev.gavel.gateway.measure.TopicMeasures;
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
 * A shared space: what is sent there is seen there. It lives on one event loop; everything but looking members
 * up and {@link #run} happens there.
 */
public final class Topic {
    /** How long somebody who comes waits until this process has read what they know. */
    private static final long LONGEST_CATCHING_UP_MILLIS = 3_000;

    /** A loop that is so busy has something better to do than to say how it is. */
    private static final long LONGEST_ASKING_MILLIS = 2_000;

    private final String name;
    private final Roll roll;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final Notices notices;
    private final Listener listener;
    private final Audience audience;
    private final Attendance attendance;
    private final TopicCounters counters = new TopicCounters();

    /** What becomes of proposals; null where the topic has no ledger and they are envelopes like any other. */
    private final @Nullable Proceedings proceedings;

    private final Optional<Records> records;
    private final Enrolment enrolment;
    private final Intake intake;

    private long connections;

    private boolean draining;

    Topic(String name, TopicPlan plan, EventExecutor loop, Surroundings surroundings) {
        this.name = name;
        this.roll = new Roll(plan.members());
        this.loop = loop;
        this.clock = surroundings.clock();
        this.notices = surroundings.notices();
        this.listener = surroundings.listener();
        this.audience = new Audience(new Delivery(loop, ByteBufAllocator.DEFAULT));
        Line line = surroundings.bus().line(name);
        boolean alone = surroundings.bus() instanceof NoBus;
        this.attendance = new Attendance(
                roll.ids(), clock.instant(), line, surroundings.bus().process());
        Courier courier = new Courier(
                audience, (from, envelope) -> listener.heard(this, from, envelope), this::seq, alone ? null : line);
        this.proceedings = plan.docket()
                .map(docket -> new Proceedings(
                        docket, loop, surroundings, attendance, audience, new Door(), counters, new Seeing(), courier))
                .orElse(null);
        this.records = Optional.ofNullable(proceedings).map(Records::new);
        this.enrolment =
                new Enrolment(roll, loop, attendance, this::leave, this::announceChange, this, listener, proceedings);
        this.intake = new Intake(roll, attendance, audience, counters, surroundings, this::run, courier, proceedings);
        if (proceedings != null) {
            surroundings.lookout().follow(name, proceedings.follower());
        }
        if (!alone) {
            Abroad abroad = new Abroad(this, loop, surroundings);
            loop.execute(() -> abroad.reachable(line.available()));
            // Last, since what it brings needs all of the above.
            line.open(loop, abroad);
        }
    }

    private long seq() {
        return proceedings == null ? 0 : proceedings.seq();
    }

    /** Passes on what happens to proposals. */
    private final class Seeing implements Proceedings.Witness {
        @Override
        public void happened(Change change) {
            listener.happened(Topic.this, change);
        }

        @Override
        public void wrote(Change change) {
            counters.happened(change.after(), change.step());
            listener.wrote(Topic.this, change);
        }

        @Override
        public void tookElsewhere(Envelope envelope) {
            intake.tookElsewhere(envelope);
        }
    }

    public String name() {
        return name;
    }

    /** What an identity is in this topic; nothing where it is no member. */
    public Optional<Member> member(String identity) {
        return roll.of(identity).map(Membership::member);
    }

    /** An identity's place in this topic, which follows what becomes of it; nothing where it is no member. */
    public Optional<Membership> membership(String identity) {
        return roll.of(identity);
    }

    /** All members, in the order they became members. */
    public List<Member> members() {
        return roll.members();
    }

    /**
     * Makes somebody a member, or lets a member send other things from now on. Done when that is so on open connections,
     * and for open proposals, unless the ledger is away or they are so many that it takes long. Thread-safe.
     */
    public CompletionStage<Void> enrol(Member member) {
        return enrolment.enrol(member);
    }

    /** Takes a member out, and closes their connections; done as {@link #enrol} is. Thread-safe. */
    public CompletionStage<Void> expel(String identity) {
        return enrolment.expel(identity);
    }

    /** What can be asked about its proposals; nothing where it has no ledger. */
    public Optional<Records> records() {
        return records;
    }

    /** Who is here, and where the ledger stands. */
    public CompletionStage<Overview> overview() {
        return CompletableFuture.supplyAsync(
                () -> new Overview(
                        attendance.present().toList(), seq(), proceedings == null ? 0 : proceedings.openProposals()),
                loop);
    }

    /** The loop it lives on, where listeners are called. */
    public EventExecutor loop() {
        return loop;
    }

    /** Where what members send comes in. */
    Intake intake() {
        return intake;
    }

    Roll roll() {
        return roll;
    }

    Attendance attendance() {
        return attendance;
    }

    @Nullable
    Proceedings proceedings() {
        return proceedings;
    }

    TopicCounters counters() {
        return counters;
    }

    /** What happened here, and how it is now. Thread-safe. */
    CompletableFuture<TopicMeasures> measures() {
        return CompletableFuture.supplyAsync(() -> Optional.of(new Census(attendance, proceedings).now()), loop)
                .completeOnTimeout(Optional.empty(), LONGEST_ASKING_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(now -> counters.measures(name, audience.delivered(), now));
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
    private final class Door implements Polls.Door {
        @Override
        public void enter(Membership member) {
            if (attendance.polls(member)) {
                came(member.member(), null, clock.instant());
            }
        }

        @Override
        public void exit(Membership member) {
            if (attendance.polledLongAgo(member, clock.instant())) {
                left(member.member());
            }
        }
    }

    /** Reads what the ledger keeps open; not on an event loop, and before anybody connects. */
    void open() {
        if (proceedings != null) {
            proceedings.open();
        }
    }

    /** Does something on the topic's loop: at once if that is where we are. */
    void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Lets a connection in, once it is known what waits on its member. */
    void join(Connection newcomer) {
        newcomer.number(++connections);
        if (newcomer.isSocket()) {
            newcomer.claim(attendance.nextClaim(newcomer.membership().id(), clock.instant()));
        }
        if (proceedings == null) {
            admit(newcomer, Waiting.NOTHING);
        } else {
            // Who comes from another process may know more than this one has read, and is told nothing twice.
            proceedings.whenCaughtUp(
                    newcomer.since(),
                    LONGEST_CATCHING_UP_MILLIS,
                    () -> proceedings.waitingOn(newcomer.member(), waiting -> admit(newcomer, waiting)));
        }
    }

    /**
     * Welcomes a connection; then everybody else hears of it if it is its member's first. A member has one socket at
     * most, so a newer one takes the place of the one before; nothing else replaces anything.
     */
    private void admit(Connection newcomer, Waiting waiting) {
        if (newcomer.gone()) {
            // It did not wait for its welcome; what it said counts all the same.
            newcomer.backlog().release();
            intake.proceed(newcomer);
            return;
        }
        if (newcomer.barred()) {
            newcomer.close(Closing.REVOKED);
            return;
        }
        if (draining) {
            newcomer.close(Closing.RESTARTING);
            return;
        }
        Member member = newcomer.member();
        List<Connection> sockets = newcomer.isSocket()
                ? attendance.of(member.id()).stream()
                        .filter(Connection::isSocket)
                        .toList()
                : List.of();
        if (sockets.stream().anyMatch(other -> other.number() > newcomer.number())
                || (newcomer.isSocket() && attendance.isOutclaimed(newcomer))) {
            // It came first, and was only slower to be welcomed.
            newcomer.close(Closing.REPLACED);
            return;
        }
        sockets.forEach(this::remove);
        boolean first = sockets.isEmpty() && attendance.sit(newcomer);
        if (!sockets.isEmpty()) {
            attendance.replace(sockets, newcomer);
        }
        audience.add(newcomer);
        Instant now = clock.instant();
        audience.toOne(newcomer.receiver(), notices.welcome(member, others(member), waiting, now));
        if (proceedings != null) {
            proceedings.catchUp(newcomer, newcomer.since().orElse(waiting.seq()));
        }
        if (first) {
            came(member, newcomer, now);
        }
        newcomer.backlog().release();
        intake.proceed(newcomer);
        // Last, since closing a connection comes back here as its leaving.
        sockets.forEach(connection -> connection.close(Closing.REPLACED));
    }

    /** Somebody is present in another process, and was nowhere before. */
    void cameElsewhere(Member member) {
        came(member, null, clock.instant());
    }

    private void came(Member member, @Nullable Connection by, Instant now) {
        audience.announce(by == null ? null : by.receiver(), notices.joined(member, now));
        listener.came(this, member);
        if (proceedings != null) {
            proceedings.came();
        }
    }

    /** Takes a connection out; everybody else hears of it if it was its member's last. */
    void leave(Connection connection) {
        if (!connection.gone()) {
            remove(connection);
            if (attendance.rise(connection, clock.instant())) {
                left(connection.member());
            }
        }
    }

    private void announceChange(Member member) {
        audience.announce(null, notices.changed(member, clock.instant()));
    }

    /** Somebody is here no more, in whatever process. */
    void left(Member member) {
        audience.announce(null, notices.left(member, clock.instant()));
        listener.left(this, member);
        if (proceedings != null) {
            proceedings.left();
        }
    }

    private void remove(Connection connection) {
        connection.go();
        audience.remove(connection);
    }

    /** The members that are here, less one. */
    private List<Member> others(Member member) {
        return attendance
                .present()
                .filter(other -> !other.id().equals(member.id()))
                .toList();
    }

    /**
     * Has this process hear what is said here, though nobody is connected to it who takes part, until that is closed.
     * Thread-safe.
     */
    public Attending attend() {
        run(() -> attendance.interest(1));
        AtomicBoolean over = new AtomicBoolean();
        return () -> {
            if (!over.getAndSet(true)) {
                run(() -> attendance.interest(-1));
            }
        };
    }

    /** Somebody's wish to hear what is said in a topic. */
    @FunctionalInterface
    public interface Attending extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes an envelope that came without a connection. */
    CompletionStage<Posted> post(Member member, Verdict verdict) {
        return intake.post(member, verdict);
    }

    /** Closes every connection, now and from now on, because the process ends. */
    void drain() {
        draining = true;
        if (proceedings != null) {
            proceedings.drain();
        }
        audience.flush();
        attendance.all().forEach(connection -> connection.close(Closing.RESTARTING));
    }
}

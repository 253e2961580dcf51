package dev.gavel.gateway;

import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.NoBus;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.docket.Archive;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.docket.Message;
import dev.gavel.gateway.docket.Standing;
import dev.gavel.gateway.measure.TopicCounters;
import dev.gavel.gateway.measure.TopicMeasures.Proposals;
import dev.gavel.gateway.proposal.Fault;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.KindRule;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a topic's proposals: hands what concerns them to the docket, and tells everybody what came of it once
 * that is durable. Confined to the topic's loop.
 */
final class Proceedings {
    private static final Logger log = LoggerFactory.getLogger(Proceedings.class);

    private final Docket docket;
    private final EventExecutor loop;
    private final Surroundings surroundings;
    private final Attendance attendance;
    private final Audience audience;
    private final TopicCounters counters;
    private final Witness witness;
    private final Courier courier;
    private final Polls polls;
    private final Watch watch = new Watch();
    private final Timekeeper timekeeper;
    private final Usher usher;
    private final Canvass canvass;

    /** How many proposals of whom are on their way to the ledger. */
    private final Map<String, Integer> proposing = new HashMap<>();

    private final Succession succession;

    /** Sees what happens to proposals. */
    interface Witness {
        /** Something happened, in whatever process. */
        void happened(Change change);

        /** This process wrote it. */
        void wrote(Change change);

        /** Another process took this envelope. */
        void tookElsewhere(Envelope envelope);
    }

    Proceedings(
            Docket docket,
            EventExecutor loop,
            Surroundings surroundings,
            Attendance attendance,
            Audience audience,
            Polls.Door door,
            TopicCounters counters,
            Witness witness,
            Courier courier) {
        this.docket = docket;
        this.loop = loop;
        this.surroundings = surroundings;
        this.attendance = attendance;
        this.audience = audience;
        this.counters = counters;
        this.witness = witness;
        this.courier = courier;
        this.succession = new Succession(
                docket.tail(), loop, surroundings.reading(), surroundings.bus()::available, new Telling());
        this.polls = new Polls(docket.archive(), loop, surroundings, door, this::seq);
        this.timekeeper = new Timekeeper(docket, loop, surroundings.clock(), watch, this::publish);
        this.usher = new Usher(docket, loop, surroundings.clock(), attendance, watch, this::publish);
        this.canvass = new Canvass(docket, loop, attendance, watch, this::publish);
    }

    /** Reads what is open; not on the loop, and before anybody connects. */
    void open() {
        Archive archive = docket.archive();
        long last = archive.seq();
        List<Standing> standings = archive.standings();
        loop.execute(() -> {
            succession.begin(last);
            watch.clear();
            watch.note(standings);
            timekeeper.look();
            usher.plan();
        });
    }

    /** Opens it again, as soon as the ledger can be read. */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    private void reopen() {
        surroundings.reading().execute(() -> {
            try {
                open();
            } catch (LedgerFailure e) {
                log.warn("what is open cannot be read, and is tried again: {}", e.getMessage());
                loop.schedule(this::reopen, Timekeeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Follows what other processes write; on any thread. */
    Lookout.Follower follower() {
        return new Lookout.Follower() {
            @Override
            public void told(long first, long last) {
                loop.execute(() -> succession.told(first, last));
            }

            @Override
            public void seen(long last) {
                loop.execute(() -> succession.seen(last));
            }
        };
    }

    /** Whether something comes too late that is about no proposal, and was sent in another process. */
    boolean isLate(Parcel parcel) {
        return succession.isLate(parcel.from(), parcel.after());
    }

    /** Does something once everything up to a seq has been told, or so much time has passed: then it is told which. */
    void whenTold(long upTo, long millis, Consumer<Boolean> then) {
        succession.whenTold(upTo, millis, then);
    }

    /**
     * Does something once everything has been told that somebody may have heard in another process who says that they heard
     * up to a seq, and may have heard some more since: all that the ledger has by now.
     */
    void whenCaughtUp(OptionalLong since, long millis, Runnable then) {
        if (since.isEmpty() || surroundings.bus() instanceof NoBus) {
            succession.whenTold(since.orElse(0), millis, _ -> then.run());
            return;
        }
        surroundings.reading().execute(() -> {
            long known = since.getAsLong();
            try {
                known = Math.max(known, docket.archive().seq());
            } catch (LedgerFailure e) {
                log.debug("it is not known how far the ledger reaches: {}", e.getMessage());
            }
            long upTo = known;
            loop.execute(() -> succession.whenTold(upTo, millis, _ -> then.run()));
        });
    }

    /** Other processes can be reached, or cannot: then nobody knows who is there. */
    void reachable(boolean now) {
        if (now) {
            usher.resume();
        } else {
            usher.suspend();
        }
    }

    /** Reads for a member as they would see it now. Thread-safe. */
    <T> CompletableFuture<T> read(Member member, BiFunction<Archive, Archive.Onlooker, T> reading) {
        return CompletableFuture.supplyAsync(() -> onlooker(member), loop)
                .thenApplyAsync(onlooker -> reading.apply(docket.archive(), onlooker), surroundings.reading());
    }

    private Archive.Onlooker onlooker(Member member) {
        return new Archive.Onlooker(
                member.id(),
                attendance.presence(),
                surroundings.offers(),
                surroundings.clock().instant());
    }

    /** Notes that what came of a proposal reached nobody. Thread-safe. */
    void notForwarded(String proposal, String why) {
        docket.notForwarded(
                proposal,
                why,
                decision -> loop.execute(() -> {
                    if (decision instanceof Decision.Made made) {
                        publish(made);
                    }
                }));
    }

    /** Notes that what came of a proposal is handed on now: true where it was not before. Thread-safe. */
    CompletableFuture<Boolean> forwarded(String proposal) {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        docket.forwarded(
                proposal,
                decision -> loop.execute(() -> {
                    if (decision instanceof Decision.Made made) {
                        succession.decided(
                                made, () -> first.complete(!made.changes().isEmpty()));
                    } else {
                        first.completeExceptionally(new LedgerFailure("it cannot be noted that this is handed on"));
                    }
                }));
        return first;
    }

    /** Those of the open proposals that somebody could decide, the oldest first, at most so many. Thread-safe. */
    CompletableFuture<List<String>> decidedBy(Member member, int most) {
        return CompletableFuture.supplyAsync(() -> watch.decidedBy(member.id(), most), loop);
    }

    /** How its proposals stand, counted. */
    Proposals counts() {
        return watch.counts();
    }

    Polls polls() {
        return polls;
    }

    long seq() {
        return succession.seq();
    }

    /** How many proposals are open now. */
    int openProposals() {
        return watch.open();
    }

    /** Takes an envelope that may be about proposals; its sender hears what became of it. */
    void take(Addressed addressed) {
        boolean proposal = addressed.envelope().rule() == KindRule.PROPOSAL;
        String from = addressed.sender().member().id();
        if (proposal) {
            proposing.merge(from, 1, Integer::sum);
        }
        Consumer<Decision> then = decision -> loop.execute(() -> {
            if (proposal) {
                proposing.computeIfPresent(from, (who, count) -> count == 1 ? null : count - 1);
            }
            decided(addressed, decision);
        });
        refusal(addressed)
                .ifPresentOrElse(
                        why -> docket.refuse(addressed.arrival(), why, then),
                        () -> docket.take(addressed.arrival(), attendance.presence(), then));
    }

    /** Why it cannot be taken, whatever the ledger says; but what was taken before is echoed all the same. */
    private Optional<Fault> refusal(Addressed addressed) {
        String from = addressed.sender().member().id();
        int open = watch.openOf(from) + proposing.getOrDefault(from, 0);
        if (addressed.recipients().nobody()) {
            return addressed
                    .recipients()
                    .complaint()
                    .map(words -> fault(addressed, ErrorCode.UNKNOWN_RECIPIENT, words));
        }
        String id = addressed.envelope().id();
        if (addressed.envelope().rule() == KindRule.PROPOSAL && (id.equals(".") || id.equals(".."))) {
            return Optional.of(fault(
                    addressed,
                    ErrorCode.MALFORMED,
                    "A proposal is looked up by its id in a URL, where dots alone mean something else; choose"
                            + " another id."));
        }
        if (addressed.envelope().rule() == KindRule.PROPOSAL && open > surroundings.mostOpen()) {
            return Optional.of(fault(
                    addressed,
                    ErrorCode.RATE_LIMITED,
                    "You have " + surroundings.mostOpen()
                            + " open proposals here, and more are not allowed. Wait until some are"
                            + " decided, or withdraw some."));
        }
        return Optional.empty();
    }

    private static Fault fault(Addressed addressed, ErrorCode code, String words) {
        return new Fault(addressed.envelope().refuse(code, words), Optional.empty(), Optional.empty());
    }

    /** What was decided is told in the ledger's order, and its sender hears of it in the order in which it sent. */
    private void decided(Addressed addressed, Decision decision) {
        switch (decision) {
            case Decision.Made made -> succession.decided(made, () -> answer(addressed, decision));
            case Decision.Echoed echoed -> succession.then(echoed.seq(), () -> answer(addressed, decision));
            case Decision.Declined _, Decision.Unrelated _, Decision.Unavailable _ ->
                succession.then(0, () -> answer(addressed, decision));
        }
    }

    private void answer(Addressed addressed, Decision decision) {
        boolean taken = false;
        try {
            Optional<ErrorCode> refused = tell(addressed, decision);
            taken = refused.isEmpty();
            KindRule kind = addressed.envelope().rule();
            refused.ifPresentOrElse(code -> counters.refused(kind, code), () -> counters.admitted(kind));
        } finally {
            addressed.sender().settled(taken);
        }
    }

    /** Tells the sender what was decided; says why nothing came of it, where nothing did. */
    private Optional<ErrorCode> tell(Addressed addressed, Decision decision) {
        Sender sender = addressed.sender();
        return switch (decision) {
            case Decision.Made made -> {
                addressed.complain();
                refuse(addressed, made.faults());
                yield Optional.empty();
            }
            case Decision.Declined(List<Fault> faults) -> {
                refuse(addressed, faults);
                yield Optional.of(faults.getFirst().refusal().code());
            }
            case Decision.Echoed(var sent, var faults, var _) -> {
                sender.echoed(new Outgoing(sent::encode));
                refuse(addressed, faults);
                yield Optional.empty();
            }
            case Decision.Unrelated() -> courier.route(addressed);
            case Decision.Unavailable(String reason, Duration retryAfter) -> {
                addressed.refuse(
                        ErrorCode.UNAVAILABLE,
                        "Not done: " + reason + ". Send it again, under the same id, to be sure.",
                        retryAfter.toMillis());
                yield Optional.of(ErrorCode.UNAVAILABLE);
            }
        };
    }

    private static void refuse(Addressed addressed, List<Fault> faults) {
        faults.forEach(fault -> addressed.sender().refused(fault.failure(), addressed.at()));
    }

    private void publish(Decision.Made made) {
        succession.decided(made, () -> {});
    }

    /** Tells everybody here what was decided. */
    private final class Telling implements Succession.Teller {
        @Override
        public void tell(Decision.Made made, boolean elsewhere) {
            watch.note(made.standings());
            for (Message message : made.messages()) {
                if (elsewhere && message instanceof Message.Envelope(var _, var route)) {
                    witness.tookElsewhere(route.sent().envelope());
                }
                audience.publish(message);
            }
            made.changes().forEach(witness::happened);
            polls.wake(made.messages());
            timekeeper.look();
            usher.look(made.standings());
        }

        @Override
        public void wrote(List<Change> changes) {
            changes.forEach(witness::wrote);
        }

        /** This process slept for so long that the others have forgotten meanwhile what it missed. */
        @Override
        public void lost() {
            log.warn("what happened after seq {} is kept no more; connections are told to come again", seq());
            attendance.all().forEach(connection -> connection.close(Closing.RESTARTING));
            reopen();
        }
    }

    /** Finds out what waits on somebody who comes. */
    void waitingOn(Member member, Consumer<Waiting> then) {
        Welcoming welcoming =
                new Welcoming(docket.archive(), watch.concerning(member.id(), Welcoming.MOST), onlooker(member), seq());
        if (welcoming.nothing()) {
            then.accept(welcoming.waiting());
        } else {
            surroundings.reading().execute(() -> {
                Waiting waiting = welcoming.waiting();
                loop.execute(() -> then.accept(waiting));
            });
        }
    }

    /** Sends a newcomer what happened after a seq, before anything else about proposals. */
    void catchUp(Connection newcomer, long since) {
        if (since != seq()) {
            new CatchUp(newcomer, since, docket.archive(), loop, surroundings, audience, this::seq).start();
        }
    }

    /**
     * Decides among other members from now on.
     *
     * @param done run when the open proposals have been held against that, or when the ledger is away and it has to wait
     */
    void changed(Members members, Runnable done) {
        docket.change(members);
        canvass.changed(done);
    }

    void came() {
        usher.came();
    }

    void left() {
        usher.left();
    }

    void drain() {
        succession.stop();
        timekeeper.stop();
        usher.stop();
        canvass.stop();
        polls.drain();
    }
}

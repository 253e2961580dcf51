package dev.gavel.bench.chaos;

import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.GavelException;
import dev.gavel.client.Pending;
import dev.gavel.client.Proposal;
import dev.gavel.client.Request;
import dev.gavel.client.Reviewer;
import dev.gavel.client.Tools;
import dev.gavel.client.http.Problem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Everybody who takes part: proposers, reviewers, servers and chatters, some on bare sockets, some by the library. What
 * becomes of a proposal follows from its number. Thread-safe.
 */
final class Cast implements AutoCloseable {
    static final String TOPIC = "ops";

    private static final long RAW_MILLIS = 130;
    private static final long LIBRARY_MILLIS = 400;
    private static final long CHAT_MILLIS = 90;
    private static final long AGAIN_MILLIS = 500;
    private static final int MOST_PENDING = 40;

    /** Refusals of a decision that settle nothing: the same may well be done a moment later. */
    private static final Set<String> PASSING = Set.of("unknown_recipient", "unavailable", "rate_limited");

    private final Map<String, RawParticipant> raw = new LinkedHashMap<>();
    private final Map<String, LibraryParticipant> library = new LinkedHashMap<>();
    private final Map<String, Pending> pendings = new ConcurrentHashMap<>();
    private final Runs runs = new Runs();
    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean proposing = true;
    private volatile boolean over;

    Cast(Fleet fleet, long seed, long start) {
        try {
            begin(fleet, seed, start);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void begin(Fleet fleet, long seed, long start) {
        Random random = new Random(seed);
        Stream.of(Roster.SERVERS.get(2)).forEach(name -> raw(fleet, name, false, start, random));
        raw(fleet, "r0", false, start, random);
        Roster.CHATTERS.forEach(name -> raw(fleet, name, false, start, random));
        Roster.RAW_PROPOSERS.forEach(name -> raw(fleet, name, name.equals("p2"), start, random));
        raw.values().forEach(RawParticipant::begin);
        Stream.of("files-a", "alice", "lib0")
                .forEach(name -> library.put(name, new LibraryParticipant(List.of(fleet.url()), name, start)));
        Stream.of("files-b", "bob", "lib1")
                .forEach(name -> library.put(name, new LibraryParticipant(fleet.urls(), name, start)));
        Stream.of("files-a", "files-b")
                .forEach(name ->
                        at(name).participant().serve(new Tools().tool("write_file", request -> run(name, request))));
        review("alice", proposal -> switch (Fate.of(proposal.id())) {
            case FULFILLED, FULFILLED_OR_REJECTED, FULFILLED_BY_ONE ->
                Decision.approve().runBy(runner(proposal.id()));
            default -> Decision.leave();
        });
        review("bob", proposal -> switch (Fate.of(proposal.id())) {
            case REJECTED, FULFILLED_OR_REJECTED -> Decision.reject("policy");
            default -> Decision.leave();
        });
        Roster.RAW_PROPOSERS.forEach(name -> thread(name, () -> propose(member(name))));
        Roster.LIBRARY_PROPOSERS.forEach(name -> thread(name, () -> propose(at(name))));
        Roster.CHATTERS.forEach(name -> thread(name, () -> chat(member(name))));
    }

    private void raw(Fleet fleet, String name, boolean directed, long start, Random random) {
        raw.put(
                name,
                new RawParticipant(
                        fleet,
                        name,
                        directed,
                        start,
                        random.nextLong(),
                        this::react,
                        (thread, e) -> failed("a thread of " + name + " died of " + e)));
    }

    private void thread(String whose, Talk talk) {
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                talk.talk();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failed("a thread of " + whose + " died of " + e);
            }
        }));
    }

    /** Takes down what nobody may die of or be told; at the end, when the connections are closed, it is all one. */
    private void failed(String what) {
        if (!over) {
            failures.add(what);
        }
    }

    /** What went wrong for those who take part that nothing may do to them. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** What was run, by those who ran it. */
    List<Runs.Run> runs() {
        return runs.all();
    }

    private Answer run(String server, Request request) {
        runs.add(new Runs.Run(request.proposal().orElse(""), request.id(), server, request.argument("path")));
        return Answer.text("written");
    }

    private void review(String name, Function<Proposal, Decision> mind) {
        at(name).participant().review(new Judge(name, mind));
    }

    /** What somebody does until the run is over. */
    @FunctionalInterface
    private interface Talk {
        void talk() throws InterruptedException;
    }

    List<RawParticipant> raw() {
        return List.copyOf(raw.values());
    }

    List<LibraryParticipant> library() {
        return List.copyOf(library.values());
    }

    List<Journal> journals() {
        return Stream.concat(
                        raw.values().stream().map(RawParticipant::journal),
                        library.values().stream().map(LibraryParticipant::journal))
                .toList();
    }

    /** What everybody can say. */
    List<Witness> witnesses() {
        return Stream.concat(
                        raw.values().stream()
                                .map(each ->
                                        new Witness(each.journal(), each.echoes(), each.refusals(), false, List.of())),
                        library.values().stream()
                                .map(each -> new Witness(each.journal(), Set.of(), Map.of(), true, each.complaints())))
                .toList();
    }

    /** What the library's proposers wait for, by the proposal's id. */
    Map<String, Pending> pendings() {
        return Map.copyOf(pendings);
    }

    private RawParticipant member(String name) {
        RawParticipant known = raw.get(name);
        if (known == null) {
            throw new IllegalArgumentException(name);
        }
        return known;
    }

    private LibraryParticipant at(String name) {
        LibraryParticipant known = library.get(name);
        if (known == null) {
            throw new IllegalArgumentException(name);
        }
        return known;
    }

    /** Nothing new is proposed from now on, and nobody chats; what is open is seen to its end. */
    void quiet() {
        proposing = false;
    }

    private void propose(RawParticipant proposer) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(RAW_MILLIS);
            String id = proposer.name() + "-" + n;
            // Numbers of both kinds, so that the order of the two shows.
            if (n % 3 == 2) {
                proposer.say(id, Letters.chat(id));
            } else if (proposer.pending() < MOST_PENDING) {
                proposer.send(id, Letters.propose(id, Fate.of(id).ttlSeconds(), 60));
            }
        }
    }

    private void propose(LibraryParticipant proposer) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(LIBRARY_MILLIS);
            String id = proposer.journal().name() + "-" + n;
            Fate fate = Fate.of(id);
            Pending pending = proposer.participant()
                    .propose(Call.tool("write_file").argument("path", "/tmp/" + id))
                    .id(id)
                    .ttl(Duration.ofMillis((long) (fate.ttlSeconds() * 1000)))
                    .send();
            pendings.put(id, pending);
            if (fate == Fate.WITHDRAWN || fate == Fate.WITHDRAWN_OR_FULFILLED) {
                withdraw(pending);
            }
        }
    }

    private void withdraw(Pending pending) {
        var _ = pending.withdraw("changed my mind").whenComplete((done, failure) -> {
            Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
            if (why instanceof GavelException.Refused refused
                    && refused.problem().code().equals("unavailable")) {
                // Where it was the proposal that was not taken there is nothing to take back.
                if (!pending.accepted().isCompletedExceptionally()) {
                    later("withdrawing", () -> withdraw(pending));
                }
            } else if (why != null && !lostRace(why)) {
                failed("the library could not withdraw " + pending.id() + ": " + why);
            }
        });
    }

    private static boolean lostRace(Throwable why) {
        return why instanceof GavelException.Refused refused
                && Verdict.LOST_RACES.contains(refused.problem().code());
    }

    private void later(String what, Runnable doing) {
        if (!over) {
            thread(what, () -> {
                Thread.sleep(AGAIN_MILLIS);
                doing.run();
            });
        }
    }

    private void chat(RawParticipant chatter) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(CHAT_MILLIS);
            String id = chatter.name() + "-" + n;
            chatter.say(id, Letters.chat(id));
        }
    }

    private void react(RawParticipant who, Heard heard) {
        String kind = heard.kind();
        if (kind.startsWith("mcp.request.") && Roster.SERVERS.contains(who.name()) && isFor(who.name(), heard)) {
            // It may well hear it again on coming back, and tells by the id that it has run it.
            if (served.add(heard.id())) {
                runs.add(new Runs.Run(heard.about(), heard.id(), who.name(), heard.field("path")));
            }
            String id = "a-" + heard.id();
            who.send(id, Letters.answer(id, heard.id(), heard.field("from")));
        } else if (kind.startsWith("mcp.proposal.")) {
            String proposal = heard.id();
            Fate fate = Fate.of(proposal);
            if (who.name().equals("r0")) {
                review(who, proposal, fate);
            } else if (heard.field("from").equals(who.name())
                    && (fate == Fate.WITHDRAWN || fate == Fate.WITHDRAWN_OR_FULFILLED)) {
                who.send("w-" + proposal, Letters.withdraw("w-" + proposal, proposal));
            }
        }
    }

    private static boolean isFor(String name, Heard heard) {
        return heard.text().contains("\"to\":[\"" + name + "\"]");
    }

    private void review(RawParticipant reviewer, String proposal, Fate fate) {
        String id = "f-" + proposal;
        String letter = Letters.fulfil(id, proposal, runner(proposal));
        switch (fate) {
            case WITHDRAWN_OR_FULFILLED, FULFILLED -> reviewer.send(id, letter);
            case FULFILLED_OR_EXPIRED ->
                thread("r0", () -> {
                    Thread.sleep((long) (fate.ttlSeconds() * 1000 - 60) + Fate.number(proposal) % 16);
                    reviewer.send(id, letter);
                });
            default -> {}
        }
    }

    static String runner(String proposal) {
        return Roster.SERVERS.get(Math.floorMod(proposal.hashCode(), Roster.SERVERS.size()));
    }

    /** Decides by the library, and comes back to what could not be done because somebody or something was away. */
    private final class Judge implements Reviewer {
        private final String name;
        private final Function<Proposal, Decision> mind;

        Judge(String name, Function<Proposal, Decision> mind) {
            this.name = name;
            this.mind = mind;
        }

        @Override
        public Decision review(Proposal proposal) {
            return mind.apply(proposal);
        }

        @Override
        public void notTaken(Proposal proposal, Decision decision, Problem why) {
            if (PASSING.contains(why.code())) {
                later(name, () -> decide(proposal, decision));
            } else if (!Verdict.LOST_RACES.contains(why.code())) {
                failed("what " + name + " decided about " + proposal.id() + " was refused with " + why.code());
            }
        }

        private void decide(Proposal proposal, Decision decision) {
            var _ = at(name).participant().decide(proposal, decision).whenComplete((done, failure) -> {
                if (failure instanceof GavelException.Refused refused) {
                    notTaken(proposal, decision, refused.problem());
                } else if (failure != null) {
                    failed(name + " could not decide about " + proposal.id() + ": " + failure);
                }
            });
        }
    }

    @Override
    public void close() {
        proposing = false;
        over = true;
        threads.forEach(Thread::interrupt);
        raw.values().forEach(RawParticipant::close);
        List<Thread> closing = library.values().stream()
                .map(each -> Thread.ofVirtual().start(each::close))
                .toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.gavel.bench.chaos;

import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.bench.reliability.Setting;
import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.GavelException;
import dev.gavel.client.Pending;
import dev.gavel.client.Proposal;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Everybody who takes part: proposers, reviewers, servers and chatters, some on bare sockets, some by the library. What
 * becomes of a proposal follows from its number. Thread-safe.
 */
final class Cast implements AutoCloseable {
    static final String TOPIC = "ops";

    private static final List<String> RAW_PROPOSERS = List.of("p0", "p1", "p2");
    private static final List<String> LIBRARY_PROPOSERS = List.of("lib0", "lib1");
    private static final List<String> REVIEWERS = List.of("alice", "bob", "r0");
    private static final List<String> SERVERS = List.of("files-a", "files-b", "files-c");
    private static final List<String> CHATTERS = List.of("w0", "w1");
    private static final List<String> OBSERVERS = List.of("observer", "newcomer");

    private static final long RAW_MILLIS = 130;
    private static final long LIBRARY_MILLIS = 400;
    private static final long CHAT_MILLIS = 90;
    private static final long AGAIN_MILLIS = 500;
    private static final int MOST_PENDING = 40;

    private final Map<String, RawParticipant> raw = new LinkedHashMap<>();
    private final Map<String, LibraryParticipant> library = new LinkedHashMap<>();
    private final Map<String, Pending> pendings = new ConcurrentHashMap<>();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private volatile boolean proposing = true;
    private volatile boolean over;

    Cast(Fleet fleet, long seed, long start) {
        Random random = new Random(seed);
        Stream.of(SERVERS.get(2)).forEach(name -> raw(fleet, name, false, start, random));
        raw(fleet, "r0", false, start, random);
        CHATTERS.forEach(name -> raw(fleet, name, false, start, random));
        RAW_PROPOSERS.forEach(name -> raw(fleet, name, name.equals("p2"), start, random));
        raw.values().forEach(RawParticipant::begin);
        Stream.of("files-a", "alice", "lib0")
                .forEach(name -> library.put(name, new LibraryParticipant(List.of(fleet.url()), name, start)));
        Stream.of("files-b", "bob", "lib1")
                .forEach(name -> library.put(name, new LibraryParticipant(fleet.urls(), name, start)));
        Tools tools = new Tools().tool("write_file", request -> Answer.text("written"));
        at("files-a").participant().serve(tools);
        at("files-b").participant().serve(tools);
        at("alice").participant().review(new Alice());
        at("bob").participant().review(proposal -> switch (Fate.of(proposal.id())) {
            case REJECTED, FULFILLED_OR_REJECTED -> Decision.reject("policy");
            default -> Decision.leave();
        });
        RAW_PROPOSERS.forEach(name -> thread(() -> propose(member(name))));
        LIBRARY_PROPOSERS.forEach(name -> thread(() -> propose(at(name))));
        CHATTERS.forEach(name -> thread(() -> chat(member(name))));
    }

    private void raw(Fleet fleet, String name, boolean directed, long start, Random random) {
        raw.put(name, new RawParticipant(fleet, name, directed, start, random.nextLong(), this::react));
    }

    private void thread(Talk talk) {
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                talk.talk();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (GavelException e) {
                if (!over) {
                    throw e;
                }
            }
        }));
    }

    /** What somebody does until the run is over. */
    @FunctionalInterface
    private interface Talk {
        void talk() throws InterruptedException;
    }

    /** The topic and its members, as a configuration file has them. */
    static String configuration() {
        StringBuilder identities = new StringBuilder();
        StringBuilder members = new StringBuilder();
        Map<String, List<String>> all = new LinkedHashMap<>();
        Stream.concat(RAW_PROPOSERS.stream(), LIBRARY_PROPOSERS.stream())
                .forEach(name -> all.put(name, List.of("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*")));
        REVIEWERS.forEach(name -> all.put(name, List.of("*")));
        SERVERS.forEach(name -> all.put(name, List.of("mcp.response.*", "chat.*")));
        CHATTERS.forEach(name -> all.put(name, List.of("chat.*")));
        OBSERVERS.forEach(name -> all.put(name, List.of("chat.*")));
        all.forEach((name, capabilities) -> {
            identities.append("  %s: {token: \"%s\"}\n".formatted(name, Setting.token(name)));
            members.append("      %s: [\"%s\"]\n".formatted(name, String.join("\", \"", capabilities)));
        });
        return """
                limits: {rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                %1$stopics:
                  %2$s:
                    answer: 30s
                    participants:
                %3$s\
                  aside:
                    participants:
                %3$s""".formatted(identities, TOPIC, members);
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
                pending.withdraw("changed my mind").exceptionally(somebodyWasFaster -> null);
            }
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
        if (kind.startsWith("mcp.request.") && SERVERS.contains(who.name()) && isFor(who.name(), heard)) {
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
                thread(() -> {
                    Thread.sleep((long) (fate.ttlSeconds() * 1000 - 60) + Fate.number(proposal) % 16);
                    reviewer.send(id, letter);
                });
            default -> {}
        }
    }

    static String runner(String proposal) {
        return SERVERS.get(Math.floorMod(proposal.hashCode(), SERVERS.size()));
    }

    /** Approves by the library, and comes back to what she could not do because whoever is to run it was away. */
    private final class Alice implements Reviewer {
        @Override
        public Decision review(Proposal proposal) {
            return switch (Fate.of(proposal.id())) {
                case FULFILLED, FULFILLED_OR_REJECTED, FULFILLED_BY_ONE ->
                    Decision.approve().runBy(runner(proposal.id()));
                default -> Decision.leave();
            };
        }

        @Override
        public void notTaken(Proposal proposal, Decision decision, Problem why) {
            again(proposal, decision, why);
        }

        private void again(Proposal proposal, Decision decision, Problem why) {
            if (over
                    || !List.of("unknown_recipient", "unavailable", "rate_limited")
                            .contains(why.code())) {
                return;
            }
            thread(() -> {
                Thread.sleep(AGAIN_MILLIS);
                var _ = at("alice").participant().decide(proposal, decision).whenComplete((done, failure) -> {
                    if (failure instanceof GavelException.Refused refused) {
                        again(proposal, decision, refused.problem());
                    }
                });
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

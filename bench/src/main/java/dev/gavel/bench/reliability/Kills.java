package dev.gavel.bench.reliability;

import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The server is killed without warning while proposals are made, fulfilled, answered, rejected and withdrawn from many
 * sides, and started again on the same data: nothing that was echoed may be lost, and nothing may happen twice.
 */
final class Kills implements Trial {
    private static final int KILLS = 20;
    private static final int PROPOSERS = 4;
    private static final int MOST_PENDING = 32;
    private static final String TOPIC = "ops";
    private static final Duration QUIET = Duration.ofSeconds(4);
    private static final Duration SETTLE = Duration.ofSeconds(90);
    private static final Set<String> ENDINGS = Set.of("fulfilled", "closed_by_rejections", "withdrawn", "expired");

    /** What others than the first come to hear in a race, and nothing else. */
    private static final Set<String> LOST_RACES = Set.of("proposal_closed", "already_fulfilled");

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(8);
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Setting setting = new Setting()
                .topic(TOPIC, "")
                .reviewer(TOPIC, "r0")
                .reviewer(TOPIC, "r1")
                .server(TOPIC, "server")
                .watcher(TOPIC, "watcher");
        for (int i = 0; i < PROPOSERS; i++) {
            setting.proposer(TOPIC, "p" + i);
        }
        Gavel gavel = new Gavel(workbench, "kill", setting);
        gavel.start();
        Cast cast = new Cast(gavel);
        try {
            int[] echoes = lives(gavel, cast);
            cast.proposing = false;
            boolean settled = Patience.until(SETTLE, cast::settled);
            findings.figure(
                    "kills while under load, echoes before each (least, most)",
                    KILLS + " (" + echoes[0] + ", " + Findings.number(echoes[1]) + ")");
            findings.holds(
                    "everything sent was echoed or refused in the end",
                    settled,
                    cast.survivors.stream().mapToInt(Survivor::pending).sum() + " left");
            List<Logged> events = gavel.export();
            long last = events.stream()
                    .filter(event -> !event.envelope().isEmpty())
                    .mapToLong(Logged::seq)
                    .max()
                    .orElseThrow();
            boolean heardAll = Patience.until(SETTLE, () -> cast.watcher.seq() >= last);
            check(findings, cast, events);
            findings.holds(
                    "one who came back with since heard of everything",
                    heardAll && heard(cast, events),
                    "seq " + Findings.number(cast.watcher.seq()) + " of " + Findings.number(last));
            findings.holds("the file is sound", gavel.isSound(), "PRAGMA integrity_check");
        } finally {
            cast.close();
        }
    }

    /** The least and the most echoes in a life. */
    private static int[] lives(Gavel gavel, Cast cast) throws InterruptedException {
        Random random = new Random(20);
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int life = 0; life < KILLS; life++) {
            int before = cast.echoes();
            int enough = 100 + random.nextInt(3000);
            Patience.need("a life has " + enough + " echoes", Gavel.START, () -> cast.echoes() - before >= enough);
            gavel.kill();
            int echoes = cast.echoes() - before;
            least = Math.min(least, echoes);
            most = Math.max(most, echoes);
            gavel.start();
        }
        return new int[] {least, most};
    }

    private static void check(Findings findings, Cast cast, List<Logged> events) {
        Map<String, Long> byEnvelope = events.stream()
                .filter(event -> !event.envelope().isEmpty())
                .collect(Collectors.groupingBy(Logged::envelope, Collectors.counting()));
        Set<String> echoed = new HashSet<>();
        cast.survivors.forEach(survivor -> echoed.addAll(survivor.echoed()));
        findings.figure(
                "events kept, of these caused by envelopes",
                Findings.number(events.size()) + ", " + Findings.number(byEnvelope.size()));
        findings.count(
                "echoed envelopes that the ledger has",
                echoed.size(),
                echoed.stream().filter(byEnvelope::containsKey).count());
        findings.count(
                "envelopes in the ledger twice",
                0,
                byEnvelope.values().stream().filter(count -> count > 1).count());
        findings.count(
                "envelopes in the ledger that were not echoed",
                0,
                byEnvelope.keySet().stream().filter(id -> !echoed.contains(id)).count());
        Set<String> refused = new HashSet<>();
        Set<String> codes = new HashSet<>();
        cast.survivors.forEach(survivor -> {
            refused.addAll(survivor.refused().keySet());
            codes.addAll(survivor.refused().values());
        });
        findings.holds("refused were only those who lost a race", LOST_RACES.containsAll(codes), codes);
        findings.count(
                "refused envelopes in the ledger",
                0,
                refused.stream().filter(byEnvelope::containsKey).count());
        findings.holds("seqs without a gap", contiguous(events), "1 to " + Findings.number(events.size()));
        Map<String, Long> endings = events.stream()
                .filter(event -> ENDINGS.contains(event.type()))
                .collect(Collectors.groupingBy(Logged::proposal, Collectors.counting()));
        findings.count(
                "proposals that ended twice",
                0,
                endings.values().stream().filter(count -> count > 1).count());
        findings.count(
                "proposals whose call the server was sent under two ids",
                0,
                cast.calls.values().stream().filter(ids -> ids.size() > 1).count());
        long fulfilled = events.stream()
                .filter(event -> event.type().equals("fulfilled"))
                .count();
        findings.count("fulfilled proposals whose call reached the server", fulfilled, cast.calls.size());
    }

    private static boolean contiguous(List<Logged> events) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).seq() != i + 1) {
                return false;
            }
        }
        return true;
    }

    private static boolean heard(Cast cast, List<Logged> events) {
        return events.stream()
                .map(Logged::envelope)
                .filter(id -> !id.isEmpty())
                .allMatch(cast.watcher.heard()::contains);
    }

    /** Everybody who takes part. What becomes of a proposal follows from its number, races included. */
    private static final class Cast implements AutoCloseable {
        final List<Survivor> survivors = new ArrayList<>();
        final Map<String, Set<String>> calls = new ConcurrentHashMap<>();
        final Watcher watcher;
        volatile boolean proposing = true;
        private int echoesSeen;
        private long quietSince = System.nanoTime();
        private final List<Thread> threads = new ArrayList<>();

        Cast(Gavel gavel) {
            watcher = new Watcher(gavel, "watcher", TOPIC);
            survivors.add(new Survivor(gavel, "server", TOPIC, this::serve));
            survivors.add(new Survivor(gavel, "r0", TOPIC, this::review));
            survivors.add(new Survivor(gavel, "r1", TOPIC, this::review));
            for (int i = 0; i < PROPOSERS; i++) {
                Survivor proposer = new Survivor(gavel, "p" + i, TOPIC, this::withdraw);
                survivors.add(proposer);
                threads.add(Thread.ofVirtual().start(() -> propose(proposer)));
            }
        }

        /** Whether nothing is under way: what was heard last may still be answered, so nothing has come for a while. */
        boolean settled() {
            if (survivors.stream().anyMatch(survivor -> survivor.pending() > 0) || echoes() != echoesSeen) {
                echoesSeen = echoes();
                quietSince = System.nanoTime();
            }
            return System.nanoTime() - quietSince > QUIET.toNanos();
        }

        int echoes() {
            return survivors.stream().mapToInt(Survivor::echoes).sum();
        }

        private void propose(Survivor proposer) {
            try {
                for (int i = 0; proposing; i++) {
                    while (proposer.pending() >= MOST_PENDING) {
                        Thread.sleep(1);
                    }
                    String id = proposer.name() + "-" + i;
                    proposer.send(id, Letters.propose(id, 3600, 100));
                    Thread.sleep(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private static int turn(String proposal) {
            return Integer.parseInt(proposal.substring(proposal.indexOf('-') + 1)) % 5;
        }

        private void withdraw(Survivor proposer, Heard heard) {
            if (heard.kind().startsWith("mcp.proposal.")
                    && heard.id().startsWith(proposer.name() + "-")
                    && turn(heard.id()) == 0) {
                proposer.send("w-" + heard.id(), Letters.withdraw("w-" + heard.id(), heard.id()));
            }
        }

        private void review(Survivor reviewer, Heard heard) {
            if (!heard.kind().startsWith("mcp.proposal.")) {
                return;
            }
            String proposal = heard.id();
            boolean first = reviewer.name().equals("r0");
            switch (turn(proposal)) {
                case 0 -> {
                    if (first) {
                        fulfil(reviewer, proposal);
                    }
                }
                case 1, 2 -> fulfil(reviewer, proposal);
                case 3 -> {
                    if (first) {
                        reject(reviewer, proposal);
                    }
                }
                default -> {
                    if (first) {
                        fulfil(reviewer, proposal);
                    } else {
                        reject(reviewer, proposal);
                    }
                }
            }
        }

        private static void fulfil(Survivor reviewer, String proposal) {
            String id = "f-" + reviewer.name() + "-" + proposal;
            reviewer.send(id, Letters.fulfil(id, proposal, "server"));
        }

        private static void reject(Survivor reviewer, String proposal) {
            String id = "x-" + reviewer.name() + "-" + proposal;
            reviewer.send(id, Letters.reject(id, proposal));
        }

        private void serve(Survivor server, Heard heard) {
            if (heard.kind().startsWith("mcp.request.")) {
                calls.computeIfAbsent(heard.about(), proposal -> ConcurrentHashMap.newKeySet())
                        .add(heard.id());
                String id = "a-" + heard.id();
                server.send(id, Letters.answer(id, heard.id(), heard.field("from")));
            }
        }

        @Override
        public void close() throws IOException {
            proposing = false;
            threads.forEach(Thread::interrupt);
            watcher.close();
            for (Survivor survivor : survivors) {
                survivor.close();
            }
        }
    }

    /** Somebody who only listens, by event stream, and goes on from the last event's id. */
    private static final class Watcher implements AutoCloseable {
        private static final long RETRY_NANOS = 50_000_000;

        private final Set<String> heard = ConcurrentHashMap.newKeySet();
        private volatile long seq;
        private volatile boolean over;
        private volatile @Nullable Client current;

        Watcher(Gavel gavel, String name, String topic) {
            Thread.ofVirtual().start(() -> live(gavel, name, topic));
        }

        private void live(Gavel gavel, String name, String topic) {
            while (!over) {
                try (Client client = gavel.stream(name, topic, "?since=" + seq, this::hear)) {
                    current = client;
                    var _ = client.ended().join();
                } catch (IOException | RuntimeException _) {
                    // Not there yet, or no more.
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }

        private void hear(Heard each) {
            if (each.seq() >= 0) {
                heard.add(each.id());
                seq = Math.max(seq, each.seq());
            }
        }

        long seq() {
            return seq;
        }

        Set<String> heard() {
            return heard;
        }

        @Override
        public void close() throws IOException {
            over = true;
            Client client = current;
            if (client != null) {
                client.close();
            }
        }
    }
}

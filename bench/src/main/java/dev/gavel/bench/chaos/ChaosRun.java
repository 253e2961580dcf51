package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.chaos.Canon.Event;
import dev.gavel.bench.chaos.Canon.Told;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.bench.reliability.Patience;
import dev.gavel.bench.reliability.Setting;
import dev.gavel.client.End;
import dev.gavel.client.http.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** One run of chaos, by one seed, and what came of it. Used by one thread. */
public final class ChaosRun {
    private static final Duration CONNECTED = Duration.ofSeconds(30);
    private static final Duration SETTLED = Duration.ofSeconds(90);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MOST_LOOKS = 10;

    private final Fleet fleet;
    private final Path directory;
    private final Plan plan;
    private final Duration time;
    private final long start = System.nanoTime();
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> phases = new ArrayList<>();
    private long phaseStart = start;

    private ChaosRun(Fleet fleet, Path directory, Plan plan, Duration time) {
        this.fleet = fleet;
        this.directory = directory;
        this.plan = plan;
        this.time = time;
    }

    /**
     * What came of a run.
     *
     * @param figures what happened in it, for people to read
     * @param violations what does not hold, for people to read; nothing where all does
     */
    public record Result(String figures, List<String> violations) {
        public Result {
            violations = List.copyOf(violations);
        }
    }

    /**
     * Lets chaos loose on a fleet that has {@link Cast}'s topic for a while.
     *
     * @param directory where journals are written if something does not hold
     */
    public static Result run(Fleet fleet, Path directory, long seed, Duration time)
            throws IOException, InterruptedException {
        Plan plan = Plan.of(
                seed,
                Math.toIntExact(time.toMillis()),
                fleet.nodes().size(),
                fleet.database().isPresent());
        return new ChaosRun(fleet, directory, plan, time).run();
    }

    /** The configuration a fleet needs for this. */
    public static String configuration() {
        return Roster.configuration();
    }

    private Result run() throws IOException, InterruptedException {
        try (Cast cast = new Cast(fleet, plan.seed(), start)) {
            Stagehand stagehand = new Stagehand(fleet, cast::raw, start);
            Canon canon = new Canon(List.of());
            try {
                Patience.need(
                        "everybody is connected",
                        CONNECTED,
                        () -> cast.raw().stream().allMatch(RawParticipant::isConnected));
                long begin = System.nanoTime();
                stagehand.perform(plan);
                long left = time.toMillis() - (System.nanoTime() - begin) / 1_000_000;
                Thread.sleep(Math.max(0, left));
                phase("chaos");
                cast.quiet();
                fleet.awaitReady();
                settle(cast);
                probe(cast);
                canon = heardLedger(cast);
                phase("settling");
                fleet.ledger("verify");
                replays(canon);
                violations.addAll(Verdict.of(canon, cast.witnesses(), said(cast), cast.runs()));
                violations.addAll(effort(stagehand, canon, cast).violations());
                phase("checking");
            } catch (LoadFailure e) {
                violated("the run could not go on: " + e.getMessage(), List.of());
            } catch (IOException | RuntimeException e) {
                violated(
                        "the run could not go on: " + e,
                        Stream.of(e.getStackTrace()).map(Object::toString).toList());
            } catch (InterruptedException e) {
                keep(cast, stagehand);
                throw e;
            }
            cast.failures().forEach(what -> violated(what, List.of()));
            stagehand.complaints().forEach(what -> violated(what, List.of()));
            for (Node node : fleet.nodes()) {
                node.complaints().forEach(what -> violated(what, List.of()));
            }
            if (!violations.isEmpty()) {
                keep(cast, stagehand);
            }
            return new Result(
                    effort(stagehand, canon, cast).figures() + "; " + String.join(", ", phases),
                    violations.stream().map(Violation::toString).toList());
        }
    }

    private Effort effort(Stagehand stagehand, Canon canon, Cast cast) {
        return new Effort(plan, stagehand.done(), time, canon, cast.witnesses());
    }

    /** Takes down how long something took. */
    private void phase(String name) {
        long now = System.nanoTime();
        phases.add(name + " " + (now - phaseStart) / 1_000_000_000 + " s");
        phaseStart = now;
    }

    private void violated(String what, List<String> evidence) {
        violations.add(new Violation(what, evidence));
    }

    /** Waits until nothing is under way: everything sent is settled, nothing is open. */
    private void settle(Cast cast) throws InterruptedException {
        if (!Patience.until(
                SETTLED, () -> unsettled(cast).isEmpty() && openProposals().isEmpty())) {
            violated("after " + SETTLED.toSeconds() + " s of quiet something is still under way", unsettled(cast));
            openProposals().ifPresent(open -> violated("proposals are still open", List.of(open)));
        }
    }

    private static List<String> unsettled(Cast cast) {
        List<String> left = new ArrayList<>();
        for (RawParticipant each : cast.raw()) {
            if (!each.isConnected()) {
                left.add(each.name() + " is not connected");
            } else if (each.pending() > 0) {
                left.add(each.name() + " has sent " + each.pending() + " that were neither echoed nor refused");
            }
        }
        cast.pendings().forEach((id, pending) -> {
            if (!pending.end().isDone()) {
                left.add("the library's " + id + " has no end");
            }
        });
        return left;
    }

    /** What is open, as a gateway says; nothing where there is nothing. */
    private Optional<String> openProposals() {
        return fleet.nodes()
                .getFirst()
                .ask("observer", "/topics/" + Cast.TOPIC + "/proposals?state=open&limit=5")
                .map(answer -> answer.statusCode() == 200 ? answer.body() : "status " + answer.statusCode())
                .or(() -> Optional.of("no answer"))
                .filter(body -> !body.contains("\"proposals\":[]"));
    }

    /** Everybody says something once more: the topic must be whole again. */
    private void probe(Cast cast) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (RawParticipant each : cast.raw()) {
            String id = "probe-" + each.name();
            each.say(id, Letters.chat(id));
            ids.add(id);
        }
        Set<String> missing = ConcurrentHashMap.newKeySet();
        boolean whole = Patience.until(SOON, () -> {
            missing.clear();
            for (Journal journal : cast.journals()) {
                for (String id : ids) {
                    if (!id.equals("probe-" + journal.name()) && !journal.hasHeard(id)) {
                        missing.add(id + " did not reach " + journal.name());
                    }
                }
            }
            return missing.isEmpty();
        });
        if (!whole) {
            violated("when all was up again the topic was not whole", List.copyOf(new TreeSet<>(missing)));
        }
    }

    /** The ledger, once every fulfilled proposal has an outcome, or when that does not come. */
    private Canon settledLedger() throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLED.toNanos();
        while (true) {
            Canon canon = new Canon(fleet.export());
            boolean settled = canon.proposals().values().stream().noneMatch(ChaosRun::awaitsAnswer);
            if (settled || System.nanoTime() > end) {
                return canon;
            }
            Thread.sleep(1_000);
        }
    }

    private static boolean awaitsAnswer(List<Event> events) {
        return events.stream().anyMatch(event -> event.type().equals("fulfilled"))
                && events.stream()
                        .noneMatch(event ->
                                event.type().equals("answered") || event.type().equals("outcome_unknown"));
    }

    /** The ledger, when everybody has heard it to its end and nothing more has happened meanwhile. */
    private Canon heardLedger(Cast cast) throws IOException, InterruptedException {
        Canon canon = settledLedger();
        for (int i = 0; i < MOST_LOOKS; i++) {
            awaitAllHeard(cast, canon);
            Canon later = settledLedger();
            if (later.events().size() == canon.events().size()) {
                return canon;
            }
            canon = later;
        }
        throw new LoadFailure("the ledger goes on growing though nobody does anything");
    }

    private static void awaitAllHeard(Cast cast, Canon canon) throws InterruptedException {
        if (!canon.told().isEmpty()) {
            String last = canon.told().getLast().id();
            Patience.until(
                    SOON,
                    () -> cast.journals().stream().allMatch(journal -> journal.isDirected() || journal.hasHeard(last)));
        }
    }

    /** Every gateway tells a newcomer the same: what the ledger has. */
    private void replays(Canon canon) throws IOException, InterruptedException {
        for (Node node : fleet.nodes()) {
            List<Told> told = new CopyOnWriteArrayList<>();
            try (Client _ = Client.eventStream(
                    node.address(),
                    "/topics/" + Cast.TOPIC + "/messages?since=0",
                    Setting.token("newcomer"),
                    heard -> hear(told, heard))) {
                Patience.until(SOON, () -> told.size() >= canon.told().size());
            }
            if (!told.equals(canon.told())) {
                int same = 0;
                while (same < Math.min(told.size(), canon.told().size())
                        && told.get(same).equals(canon.told().get(same))) {
                    same++;
                }
                violated(
                        node + " tells a newcomer something else than the ledger has",
                        List.of("the first " + same + " of " + canon.told().size() + " are the same; then "
                                + told.stream().skip(same).limit(3).toList() + " instead of "
                                + canon.told().stream().skip(same).limit(3).toList()));
            }
        }
    }

    private static void hear(List<Told> told, Heard heard) {
        if (heard.seq() >= 0 && !heard.kind().equals("system.welcome")) {
            told.add(new Told(heard.seq(), heard.id()));
        }
    }

    /** What became of the library's proposals, as it says. */
    private static Map<String, String> said(Cast cast) {
        Map<String, String> said = new HashMap<>();
        cast.pendings().forEach((id, pending) -> {
            CompletableFuture<End> end = pending.end();
            said.put(
                    id,
                    end.isCompletedExceptionally()
                            ? "over: " + end.exceptionNow()
                            : end.isDone() ? said(end.resultNow()) : "open");
        });
        return said;
    }

    private static String said(End end) {
        return end instanceof End.Refused(String _, Problem problem)
                ? Verdict.REFUSED + problem.code()
                : end.getClass().getSimpleName();
    }

    private void keep(Cast cast, Stagehand stagehand) throws IOException {
        Files.write(
                directory.resolve("plan.txt"),
                plan.acts().stream().map(Object::toString).toList());
        Files.write(directory.resolve("done.txt"), stagehand.diary());
        Files.write(
                directory.resolve("violations.txt"),
                violations.stream().map(Violation::toString).toList());
        for (Journal journal : cast.journals()) {
            Files.write(directory.resolve(journal.name() + ".journal"), journal.all());
        }
    }
}

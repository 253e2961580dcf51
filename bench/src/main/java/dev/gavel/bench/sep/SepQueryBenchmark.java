package dev.gavel.bench.sep;

import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.service.ExecutorPools;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.PeopleDirectory;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepLimits;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import java.io.IOException;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Measures inbox, triage and list queries on 10,000 open SEPs, in ledgers with 10,000 and with 100,000 finished SEPs.
 */
public final class SepQueryBenchmark {
    private static final int OPEN = 10_000;
    private static final int FINISHED = 10_000;
    private static final int ROUNDS = 31;

    private SepQueryBenchmark() {}

    /** Runs the benchmark; takes no arguments, prints Markdown, and leaves nothing behind. */
    public static void main(String[] args) throws IOException, InterruptedException {
        run(System.out);
    }

    private static void run(PrintStream out) throws IOException, InterruptedException {
        ProcessDefinition processDefinition = BuiltInProcesses.defaultProcess();
        try (RunWorkspace bench = RunWorkspace.open();
                SepLedgerFiller small = new SepLedgerFiller(bench.directory().resolve("small.db"), processDefinition);
                SepLedgerFiller large = new SepLedgerFiller(bench.directory().resolve("large.db"), processDefinition);
                ExecutorService executor = Executors.newFixedThreadPool(1)) {
            fill(small, 1);
            fill(large, 10);
            LedgerSepService of = sepService(small, processDefinition, executor);
            LedgerSepService beside = sepService(large, processDefinition, executor);
            Map<String, Query> queries = queries();
            out.println("| query | median, ms | median with 100,000 finished SEPs, ms | ratio | slowest, ms |");
            out.println("|---|--:|--:|--:|--:|");
            for (Map.Entry<String, Query> each : queries.entrySet()) {
                List<Double> first = new ArrayList<>();
                List<Double> second = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    first.add(millis(of, each.getValue()));
                    second.add(millis(beside, each.getValue()));
                }
                // The very first query reads everything from the disk.
                String firstRead = "";
                if (each.getKey().startsWith("inbox of a core")) {
                    firstRead = String.format(" (first time: %.0f and %.0f ms)", first.getFirst(), second.getFirst());
                }
                double one = median(first.subList(1, first.size()));
                double other = median(second.subList(1, second.size()));
                out.printf(
                        "| %s%s | %.1f | %.1f | **%.2f** | %.1f |%n",
                        each.getKey(),
                        firstRead,
                        one,
                        other,
                        other / one,
                        second.subList(1, second.size()).stream()
                                .mapToDouble(Double::doubleValue)
                                .max()
                                .orElse(0));
            }
        }
    }

    private static void fill(SepLedgerFiller ledger, int times) throws InterruptedException {
        // Half of the open ones wait for a sponsor, the others have one.
        ledger.addSeps(OPEN / 2, "proposal");
        ledger.addSeps(OPEN / 2, "draft");
        ledger.addSeps(FINISHED * times, "final");
    }

    private static LedgerSepService sepService(
            SepLedgerFiller ledger, ProcessDefinition processDefinition, ExecutorService executor) {
        List<PeopleDirectory.KnownPerson> people = new ArrayList<>(IntStream.range(0, 40)
                .mapToObj(i ->
                        new PeopleDirectory.KnownPerson("sponsor" + i, "Sponsor " + i, Set.of("maintainer"), List.of()))
                .toList());
        people.add(new PeopleDirectory.KnownPerson("carol", "Carol", Set.of("core-maintainer"), List.of()));
        List<PeopleDirectory.KnownPerson> allPeople = List.copyOf(people);
        return new LedgerSepService(
                ledger.ledger(),
                ledger.writer(),
                new LifecycleEngine(processDefinition),
                () -> allPeople,
                InstantSource.system(),
                ExecutorPools.shared(executor),
                SepLimits.forSponsors(5));
    }

    private record Query(SepCaller caller, SepOperation sepOperation, Json arguments) {}

    private static Map<String, Query> queries() {
        SepCaller carol = new SepCaller("carol", Set.of("core-maintainer"));
        SepCaller sponsor = new SepCaller("sponsor7", Set.of("maintainer"));
        Json nothing = Json.object();
        Map<String, Query> all = new LinkedHashMap<>();
        all.put("inbox of a core maintainer, 5,000 SEPs", new Query(carol, SepOperation.INBOX, nothing));
        all.put("inbox of a sponsor", new Query(sponsor, SepOperation.INBOX, nothing));
        all.put("triage, 5,000 SEPs", new Query(sponsor, SepOperation.TRIAGE, nothing));
        all.put("list", new Query(sponsor, SepOperation.LIST, nothing));
        all.put(
                "list of one state",
                new Query(sponsor, SepOperation.LIST, nothing.with("state", Json.ofText("draft"))));
        all.put(
                "list of one sponsor's open SEPs",
                new Query(
                        sponsor,
                        SepOperation.LIST,
                        nothing.with("sponsor", Json.ofText("sponsor7")).with("open", Json.of(true))));
        all.put("next", new Query(sponsor, SepOperation.NEXT, nothing.with("number", Json.of(77))));
        return all;
    }

    private static double millis(LedgerSepService sepService, Query query) {
        long start = System.nanoTime();
        SepResult sepResult = sepService
                .execute(query.caller(), query.sepOperation(), query.arguments())
                .toCompletableFuture()
                .join();
        double millis = (System.nanoTime() - start) / 1e6;
        if (!(sepResult instanceof SepResult.Success)) {
            throw new IllegalStateException(sepResult.toString());
        }
        return millis;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}

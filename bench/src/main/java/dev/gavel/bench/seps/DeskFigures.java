package dev.gavel.bench.seps;

import dev.gavel.bench.Workbench;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Hands;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.desk.People;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.process.Processes;
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
 * How long inbox, triage and list take with 20,000 proposals, and with ten times as many finished ones: asked in turns, so
 * that whatever else the machine does slows both.
 */
public final class DeskFigures {
    private static final int OPEN = 10_000;
    private static final int FINISHED = 10_000;
    private static final int ROUNDS = 31;

    private DeskFigures() {}

    /** Runs it; takes no arguments, prints Markdown, and leaves nothing behind. */
    public static void main(String[] args) throws IOException, InterruptedException {
        run(System.out);
    }

    private static void run(PrintStream out) throws IOException, InterruptedException {
        Process process = Processes.usual();
        try (Workbench bench = Workbench.open();
                FilledLedger small = new FilledLedger(bench.directory().resolve("small.db"), process);
                FilledLedger large = new FilledLedger(bench.directory().resolve("large.db"), process);
                ExecutorService executor = Executors.newFixedThreadPool(1)) {
            fill(small, 1);
            fill(large, 10);
            LedgerDesk of = desk(small, process, executor);
            LedgerDesk beside = desk(large, process, executor);
            Map<String, Question> questions = questions();
            out.println("| question | median, ms | with ten times as many finished, ms | ratio | slowest, ms |");
            out.println("|---|--:|--:|--:|--:|");
            for (Map.Entry<String, Question> each : questions.entrySet()) {
                List<Double> first = new ArrayList<>();
                List<Double> second = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    first.add(millis(of, each.getValue()));
                    second.add(millis(beside, each.getValue()));
                }
                // The first of all reads everything from the disk.
                String began = "";
                if (each.getKey().startsWith("inbox of a core")) {
                    began = String.format(" (first time: %.0f and %.0f ms)", first.getFirst(), second.getFirst());
                }
                double one = median(first.subList(1, first.size()));
                double other = median(second.subList(1, second.size()));
                out.printf(
                        "| %s%s | %.1f | %.1f | **%.2f** | %.1f |%n",
                        each.getKey(),
                        began,
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

    private static void fill(FilledLedger ledger, int times) throws InterruptedException {
        // Half of the open ones wait for a sponsor, the others are looked after.
        ledger.add(OPEN / 2, "proposal");
        ledger.add(OPEN / 2, "draft");
        ledger.add(FINISHED * times, "final");
    }

    private static LedgerDesk desk(FilledLedger ledger, Process process, ExecutorService executor) {
        List<People.Known> people = new ArrayList<>(IntStream.range(0, 40)
                .mapToObj(i -> new People.Known("sponsor" + i, "Sponsor " + i, Set.of("maintainer"), List.of()))
                .toList());
        people.add(new People.Known("carol", "Carol", Set.of("core-maintainer"), List.of()));
        List<People.Known> everybody = List.copyOf(people);
        return new LedgerDesk(
                ledger.ledger(),
                ledger.writer(),
                new Lifecycle(process),
                () -> everybody,
                InstantSource.system(),
                Hands.all(executor),
                5);
    }

    private record Question(Caller caller, Verb verb, Json arguments) {}

    private static Map<String, Question> questions() {
        Caller carol = new Caller("carol", Set.of("core-maintainer"));
        Caller sponsor = new Caller("sponsor7", Set.of("maintainer"));
        Json nothing = Json.object();
        Map<String, Question> all = new LinkedHashMap<>();
        all.put("inbox of a core maintainer (5,000 in it)", new Question(carol, Verb.INBOX, nothing));
        all.put("inbox of a sponsor", new Question(sponsor, Verb.INBOX, nothing));
        all.put("triage (5,000 in it)", new Question(sponsor, Verb.TRIAGE, nothing));
        all.put("list", new Question(sponsor, Verb.LIST, nothing));
        all.put(
                "list of those in one state",
                new Question(sponsor, Verb.LIST, nothing.with("state", Json.ofText("draft"))));
        all.put(
                "list of one sponsor's open ones",
                new Question(
                        sponsor,
                        Verb.LIST,
                        nothing.with("sponsor", Json.ofText("sponsor7")).with("open", Json.of(true))));
        all.put("next", new Question(sponsor, Verb.NEXT, nothing.with("number", Json.of(77))));
        return all;
    }

    private static double millis(LedgerDesk desk, Question question) {
        long start = System.nanoTime();
        Reply reply = desk.ask(question.caller(), question.verb(), question.arguments())
                .toCompletableFuture()
                .join();
        double millis = (System.nanoTime() - start) / 1e6;
        if (!(reply instanceof Reply.Done)) {
            throw new IllegalStateException(reply.toString());
        }
        return millis;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}

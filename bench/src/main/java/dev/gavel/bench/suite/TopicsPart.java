package dev.gavel.bench.suite;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.Comparison;
import dev.gavel.bench.Delivered;
import dev.gavel.bench.Load;
import dev.gavel.bench.Pace;
import dev.gavel.bench.Round;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.suite.Servers.Running;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One topic at full speed, and two at once: whether two use two cores. One sender and four receivers each, so that nearly all
 * work is the server's, and one topic keeps a core busy. Used by one thread.
 */
final class TopicsPart implements Part {
    private static final int ROUNDS = 8;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final int RECEIVERS = 4;
    private static final int WINDOW = 1_000;
    private static final List<String> TOPICS = List.of("one", "two");

    @Override
    public String name() {
        return "topics";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        BenchTopic topic = new BenchTopic(TOPICS, 1, RECEIVERS, new SecureRandom());
        Running gavel = Servers.gavel(workbench, topic.configuration());
        // A load belongs to the thread that opened it.
        try (ExecutorService first = Executors.newSingleThreadExecutor();
                ExecutorService second = Executors.newSingleThreadExecutor()) {
            List<Load> loads = new ArrayList<>();
            for (String name : TOPICS) {
                loads.add(Load.connect(gavel.address(), BenchTopic.path(name), topic.participants(RECEIVERS), 1, true)
                        .widened(WINDOW));
            }
            Round.of(gavel.process(), () -> send(loads, List.of(first, second), WARM_UP));
            List<Round> alone = new ArrayList<>();
            List<Round> both = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                List<Load> turn = List.of(loads.get(i % 2));
                alone.add(Round.of(gavel.process(), () -> send(turn, List.of(first), TIME)));
                both.add(Round.of(gavel.process(), () -> send(loads, List.of(first, second), TIME)));
            }
            for (Load load : loads) {
                load.close();
            }
            Comparison comparison = new Comparison(alone, both);
            sheet.ratio(
                    "two topics at once: messages to one topic's",
                    comparison.ratio(Round::perSecond),
                    Target.atLeast(1.6),
                    String.format(
                            Locale.ROOT,
                            "%.0f k/s to %.0f k/s; the server used %.2f cores of %d, before %.2f",
                            comparison.ofSubject(Round::perSecond) / 1e3,
                            comparison.ofReference(Round::perSecond) / 1e3,
                            comparison.ofSubject(Round::serverCores),
                            Runtime.getRuntime().availableProcessors(),
                            comparison.ofReference(Round::serverCores)));
        }
    }

    private static Delivered send(List<Load> loads, List<ExecutorService> threads, Duration time) {
        List<CompletableFuture<Delivered>> coming = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            Load load = loads.get(i);
            coming.add(CompletableFuture.supplyAsync(() -> load.send(new Pace.Saturating(), time), threads.get(i)));
        }
        long deliveries = 0;
        long nanos = 0;
        for (CompletableFuture<Delivered> each : coming) {
            Delivered delivered = each.join();
            deliveries += delivered.deliveries();
            nanos = Math.max(nanos, delivered.nanos());
        }
        return new Delivered(deliveries, nanos);
    }
}

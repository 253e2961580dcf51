package dev.gavel.bench.suite;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.LoadResult;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import dev.gavel.bench.suite.SuiteServerLauncher.RunningServer;
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
 * Suite part that measures whether two topics under full load use two cores. Each has one sender and four receivers, so
 * that the server does nearly all of the work, and one topic keeps a core busy. Used by one thread.
 */
final class ParallelTopicsPart implements SuitePart {
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
    public Duration timeLimit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        BenchTopicConfig topic = new BenchTopicConfig(TOPICS, 1, RECEIVERS, new SecureRandom());
        RunningServer gavel = SuiteServerLauncher.startGavel(runWorkspace, topic.configuration());
        // A load generator is confined to the thread that opened it.
        try (ExecutorService first = Executors.newSingleThreadExecutor();
                ExecutorService second = Executors.newSingleThreadExecutor()) {
            List<LoadGenerator> loadGenerators = new ArrayList<>();
            for (String name : TOPICS) {
                loadGenerators.add(LoadGenerator.connect(
                                gavel.address(),
                                BenchTopicConfig.webSocketPath(name),
                                topic.participants(RECEIVERS),
                                1,
                                true)
                        .withWindow(WINDOW));
            }
            BenchmarkRoundResult.measure(gavel.process(), () -> send(loadGenerators, List.of(first, second), WARM_UP));
            List<BenchmarkRoundResult> alone = new ArrayList<>();
            List<BenchmarkRoundResult> both = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                List<LoadGenerator> turn = List.of(loadGenerators.get(i % 2));
                alone.add(BenchmarkRoundResult.measure(gavel.process(), () -> send(turn, List.of(first), TIME)));
                both.add(BenchmarkRoundResult.measure(
                        gavel.process(), () -> send(loadGenerators, List.of(first, second), TIME)));
            }
            for (LoadGenerator loadGenerator : loadGenerators) {
                loadGenerator.close();
            }
            RoundComparison comparison = new RoundComparison(alone, both);
            suiteResults.addRatio(
                    "two topics at once: messages/s, ratio to one topic",
                    comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                    FigureTarget.atLeast(1.6),
                    String.format(
                            Locale.ROOT,
                            "%.0f k/s; one topic: %.0f k/s; the server used %.2f of %d cores, with one topic %.2f",
                            comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond) / 1e3,
                            comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond) / 1e3,
                            comparison.subjectMedian(BenchmarkRoundResult::serverCores),
                            Runtime.getRuntime().availableProcessors(),
                            comparison.referenceMedian(BenchmarkRoundResult::serverCores)));
        }
    }

    private static LoadResult send(List<LoadGenerator> loadGenerators, List<ExecutorService> threads, Duration time) {
        List<CompletableFuture<LoadResult>> results = new ArrayList<>();
        for (int i = 0; i < loadGenerators.size(); i++) {
            LoadGenerator loadGenerator = loadGenerators.get(i);
            results.add(CompletableFuture.supplyAsync(
                    () -> loadGenerator.send(new SendRate.Saturating(), time), threads.get(i)));
        }
        long deliveries = 0;
        long nanos = 0;
        for (CompletableFuture<LoadResult> each : results) {
            LoadResult loadResult = each.join();
            deliveries += loadResult.deliveries();
            nanos = Math.max(nanos, loadResult.nanos());
        }
        return new LoadResult(deliveries, nanos);
    }
}

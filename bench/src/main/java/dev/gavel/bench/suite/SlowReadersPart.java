package dev.gavel.bench.suite;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.LoadParticipantCredentials;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import dev.gavel.bench.suite.SuiteServerLauncher.RunningServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Suite part that measures how much clients that stop reading slow down the other receivers. The server drops such a
 * client once 8 MiB are queued for it, so every round uses new ones. Used by one thread.
 */
final class SlowReadersPart implements SuitePart {
    private static final int RECEIVERS = 50;
    private static final int STOPPED = 5;
    private static final int ROUNDS = 12;
    /** Not much longer than it takes until the server drops them. */
    private static final Duration TIME = Duration.ofMillis(700);

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final String DROPPED = "gavel_dropped_connections_total";
    private static final String TOO_SLOW = "reason=\"too_slow\"";

    @Override
    public String name() {
        return "slow readers";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        BenchTopicConfig topic = new BenchTopicConfig(1, RECEIVERS + STOPPED, new SecureRandom());
        RunningServer gavel = SuiteServerLauncher.startGavel(runWorkspace, topic.configuration());
        List<LoadParticipantCredentials> slow =
                topic.participants(0, RECEIVERS + STOPPED).subList(RECEIVERS, RECEIVERS + STOPPED);
        List<BenchmarkRoundResult> without = new ArrayList<>();
        List<BenchmarkRoundResult> with = new ArrayList<>();
        try (LoadGenerator loadGenerator = LoadGenerator.connect(
                gavel.address(), BenchTopicConfig.WEB_SOCKET_PATH, topic.participants(1, RECEIVERS), 1, true)) {
            loadGenerator.send(new SendRate.Saturating(), WARM_UP);
            for (int i = 0; i < ROUNDS; i++) {
                without.add(round(gavel, loadGenerator));
                // A load generator reads only while it connects and while it sends, which this one never does.
                try (LoadGenerator _ =
                        LoadGenerator.connect(gavel.address(), BenchTopicConfig.WEB_SOCKET_PATH, slow, 0, true)) {
                    with.add(round(gavel, loadGenerator));
                }
            }
        }
        RoundComparison comparison = new RoundComparison(without, with);
        suiteResults.addRatio(
                RECEIVERS + " receivers, saturating, and " + STOPPED
                        + " that stop reading: deliveries/s, ratio to the same without them",
                comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                FigureTarget.atLeast(0.9),
                String.format(
                        Locale.ROOT,
                        "%.2f M/s; without them: %.2f M/s; %d of %d stopped readers were disconnected as too slow",
                        comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond) / 1e6,
                        comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond) / 1e6,
                        droppedConnections(gavel.address()),
                        ROUNDS * STOPPED));
    }

    private static BenchmarkRoundResult round(RunningServer gavel, LoadGenerator loadGenerator) {
        return BenchmarkRoundResult.measure(gavel.process(), () -> loadGenerator.send(new SendRate.Saturating(), TIME));
    }

    /** The number of connections that the server reports as dropped because they did not read. */
    private static int droppedConnections(InetSocketAddress server) throws IOException, InterruptedException {
        URI metrics = URI.create("http://" + server.getHostString() + ":" + server.getPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new RunFailedException(metrics + " returned HTTP " + answer.statusCode());
            }
            return answer.body()
                    .lines()
                    .filter(line -> line.startsWith(DROPPED) && line.contains(TOO_SLOW))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }
}

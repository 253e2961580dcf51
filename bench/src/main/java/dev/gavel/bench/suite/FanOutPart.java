package dev.gavel.bench.suite;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import dev.gavel.bench.suite.BarChart.Bar;
import dev.gavel.bench.suite.SuiteServerLauncher.RunningServer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Suite part that compares Gavel's fan-out with a minimal relay's and a NATS server's, and also measures Gavel with ten
 * senders. Rounds alternate, and connections stay open between them. Used by one thread.
 */
final class FanOutPart implements SuitePart {
    private static final int ROUNDS = 6;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final int PACED = 400;
    private static final int MOST_SENDERS = 10;

    private static final String ALONE = "alone";
    private static final String TOGETHER = "together";

    private final BenchTopicConfig topic =
            new BenchTopicConfig(List.of(ALONE, TOGETHER), MOST_SENDERS, 200, new SecureRandom());
    private final List<Bar> deliveries = new ArrayList<>();
    private final List<Bar> cpu = new ArrayList<>();

    @Override
    public String name() {
        return "fan-out";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(4);
    }

    /** A server and the connections to it. */
    private record ServerLoad(RunningServer server, LoadGenerator loadGenerator) {
        BenchmarkRoundResult measureRound(SendRate sendRate) {
            return BenchmarkRoundResult.measure(server.process(), () -> loadGenerator.send(sendRate, TIME));
        }
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        RunningServer relay = SuiteServerLauncher.startRelay(runWorkspace);
        RunningServer gavel = SuiteServerLauncher.startGavel(runWorkspace, topic.configuration());
        RunningServer nats = SuiteServerLauncher.startNats(runWorkspace);
        for (int receivers : List.of(50, 200)) {
            try (LoadGenerator toRelay = LoadGenerator.connect(
                            relay.address(),
                            BenchTopicConfig.WEB_SOCKET_PATH,
                            topic.participants(1, receivers),
                            1,
                            false);
                    LoadGenerator toGavel = LoadGenerator.connect(
                            gavel.address(),
                            BenchTopicConfig.webSocketPath(ALONE),
                            topic.participants(1, receivers),
                            1,
                            true);
                    LoadGenerator toNats = LoadGenerator.connectNats(nats.address(), receivers)) {
                List<ServerLoad> serverLoads = List.of(
                        new ServerLoad(relay, toRelay), new ServerLoad(gavel, toGavel), new ServerLoad(nats, toNats));
                measureSaturating(receivers, serverLoads, suiteResults);
                if (receivers == 50) {
                    measurePaced(serverLoads.subList(0, 2), suiteResults);
                    measureTenSenders(serverLoads.get(1), suiteResults);
                }
            }
        }
        suiteResults.addChart(
                new BarChart("fan-out", "Deliveries per second, saturating", "raw relay = 1", deliveries));
        suiteResults.addChart(new BarChart("fan-out-cpu", "CPU time per delivery", "raw relay = 1", cpu));
    }

    private void measureSaturating(int receivers, List<ServerLoad> serverLoads, SuiteResults suiteResults) {
        List<List<BenchmarkRoundResult>> rounds = rounds(new SendRate.Saturating(), serverLoads);
        RoundComparison toRelay = new RoundComparison(rounds.get(0), rounds.get(1));
        RoundComparison toNats = new RoundComparison(rounds.get(2), rounds.get(1));
        RoundComparison natsToRelay = new RoundComparison(rounds.get(0), rounds.get(2));
        double fewest = receivers == 50 ? 0.65 : 0.75;
        String what = receivers + " receivers, saturating: ";
        suiteResults.addRatio(
                what + "deliveries/s, ratio to the raw relay",
                toRelay.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                FigureTarget.atLeast(fewest),
                millions(toRelay.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond)) + "; relay: "
                        + millions(toRelay.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond)));
        suiteResults.addRatio(
                what + "CPU time per delivery, ratio to the raw relay",
                toRelay.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery),
                FigureTarget.atMost(1.7),
                cpu(toRelay));
        suiteResults.addRatio(
                what + "deliveries/s, ratio to nats-server",
                toNats.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                FigureTarget.atLeast(3),
                millions(toNats.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond)) + "; nats-server: "
                        + millions(toNats.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond)));
        String label = ", " + receivers + " receivers";
        deliveries.add(Bar.reference("relay" + label, 1, ""));
        deliveries.add(
                Bar.gavel("Gavel" + label, toRelay.medianRatio(BenchmarkRoundResult::deliveriesPerSecond), "", fewest));
        deliveries.add(Bar.reference(
                "nats-server" + label, natsToRelay.medianRatio(BenchmarkRoundResult::deliveriesPerSecond), ""));
        cpu.add(Bar.reference("relay" + label, 1, ""));
        cpu.add(Bar.gavel("Gavel" + label, toRelay.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery), "", 1.7));
        cpu.add(Bar.reference(
                "nats-server" + label, natsToRelay.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery), ""));
    }

    private void measurePaced(List<ServerLoad> serverLoads, SuiteResults suiteResults) {
        List<List<BenchmarkRoundResult>> rounds = rounds(new SendRate.Constant(PACED), serverLoads);
        RoundComparison toRelay = new RoundComparison(rounds.get(0), rounds.get(1));
        suiteResults.addRatio(
                "50 receivers, " + PACED + " messages/s: CPU time per delivery, ratio to the raw relay",
                toRelay.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery),
                FigureTarget.atMost(1.6),
                cpu(toRelay));
        cpu.add(Bar.gavel(
                "Gavel, 50 receivers, " + PACED + "/s",
                toRelay.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery),
                "",
                1.6));
    }

    private void measureTenSenders(ServerLoad one, SuiteResults suiteResults) throws IOException {
        try (LoadGenerator loadGenerator = LoadGenerator.connect(
                one.server().address(),
                BenchTopicConfig.webSocketPath(TOGETHER),
                topic.participants(MOST_SENDERS, 50 + 1 - MOST_SENDERS),
                MOST_SENDERS,
                true)) {
            List<List<BenchmarkRoundResult>> rounds =
                    rounds(new SendRate.Saturating(), List.of(one, new ServerLoad(one.server(), loadGenerator)));
            RoundComparison comparison = new RoundComparison(rounds.get(0), rounds.get(1));
            suiteResults.addRatio(
                    "ten senders, saturating: deliveries/s, ratio to one sender",
                    comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                    FigureTarget.atLeast(1),
                    millions(comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond)) + "; one sender: "
                            + millions(comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond)));
        }
    }

    /** Measures alternating rounds of all servers; returns them by server. */
    private static List<List<BenchmarkRoundResult>> rounds(SendRate sendRate, List<ServerLoad> serverLoads) {
        List<List<BenchmarkRoundResult>> rounds = new ArrayList<>();
        for (ServerLoad serverLoad : serverLoads) {
            serverLoad.loadGenerator().send(sendRate, WARM_UP);
            rounds.add(new ArrayList<>());
        }
        for (int i = 0; i < ROUNDS; i++) {
            for (int side = 0; side < serverLoads.size(); side++) {
                rounds.get(side).add(serverLoads.get(side).measureRound(sendRate));
            }
        }
        return rounds;
    }

    private static String millions(double perSecond) {
        return String.format(Locale.ROOT, "%.2f M/s", perSecond / 1e6);
    }

    private static String cpu(RoundComparison comparison) {
        return String.format(
                Locale.ROOT,
                "%.3f µs; relay: %.3f µs",
                comparison.subjectMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.referenceMedian(BenchmarkRoundResult::cpuMicrosPerDelivery));
    }
}

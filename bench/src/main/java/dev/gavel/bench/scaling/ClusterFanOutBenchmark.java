package dev.gavel.bench.scaling;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.LoadResult;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.CpuTimeSnapshot;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures how fast one or more gateways deliver one sender's messages to many receivers, in rounds that alternate with
 * a minimal relay for comparison. The processor time of the gateways is added up; that of NATS is reported separately.
 * Used by one thread.
 */
final class ClusterFanOutBenchmark {
    private static final int MESSAGES_PER_SECOND = 400;

    private final ClusterScalingOptions options;
    private final RunWorkspace runWorkspace;
    private final ServerProcess relay;
    private final InetSocketAddress relayAddress;
    private final PrintStream out;
    private final BenchTopicConfig topic;

    ClusterFanOutBenchmark(
            ClusterScalingOptions options,
            RunWorkspace runWorkspace,
            ServerProcess relay,
            InetSocketAddress relayAddress,
            PrintStream out) {
        this.options = options;
        this.runWorkspace = runWorkspace;
        this.relay = relay;
        this.relayAddress = relayAddress;
        this.out = out;
        this.topic = new BenchTopicConfig(1, options.receivers(), new SecureRandom());
    }

    void run() throws IOException, InterruptedException {
        out.print("""

                One sender, %d receivers distributed evenly over the gateways. The ratios are to the raw relay in the \
                same minute, as medians over neighbouring rounds (%d rounds of %d s).

                | case | relay deliveries/s | deliveries/s | ratio | relay CPU µs/delivery | gateways' CPU µs/delivery \
                | ratio | NATS CPU µs/delivery |
                |---|--:|--:|--:|--:|--:|--:|--:|
                """.formatted(
                        options.receivers(), options.rounds(), options.time().toSeconds()));
        runCase("embedded bus, 1 process", 1, false);
        for (int gateways = 1; gateways <= options.maxGateways(); gateways++) {
            runCase("NATS, " + gateways + (gateways == 1 ? " gateway" : " gateways"), gateways, true);
        }
    }

    private void runCase(String what, int gateways, boolean shared) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(runWorkspace.directory(), "fleet");
        try (GatewayCluster gatewayCluster =
                        GatewayCluster.start(directory, List.of("./gavel"), gateways, shared, topic.configuration());
                LoadGenerator toRelay = connect(List.of(relayAddress), false);
                LoadGenerator toFleet = connect(
                        gatewayCluster.gateways().stream()
                                .map(ClusterGatewayProcess::address)
                                .toList(),
                        true)) {
            compare(what + ", saturating", new SendRate.Saturating(), gatewayCluster, toRelay, toFleet);
            compare(
                    what + ", " + MESSAGES_PER_SECOND + " messages/s",
                    new SendRate.Constant(MESSAGES_PER_SECOND),
                    gatewayCluster,
                    toRelay,
                    toFleet);
        }
    }

    private LoadGenerator connect(List<InetSocketAddress> servers, boolean welcomes) throws IOException {
        return LoadGenerator.connect(
                servers, BenchTopicConfig.WEB_SOCKET_PATH, topic.participants(options.receivers()), 1, welcomes);
    }

    private void compare(
            String what,
            SendRate sendRate,
            GatewayCluster gatewayCluster,
            LoadGenerator toRelay,
            LoadGenerator toFleet) {
        toRelay.send(sendRate, options.time());
        toFleet.send(sendRate, options.time().multipliedBy(2));
        List<BenchmarkRoundResult> reference = new ArrayList<>();
        List<BenchmarkRoundResult> subject = new ArrayList<>();
        List<Double> bus = new ArrayList<>();
        for (int i = 0; i < options.rounds(); i++) {
            CpuTimeSnapshot before = relay.cpuTime();
            LoadResult loadResult = toRelay.send(sendRate, options.time());
            reference.add(new BenchmarkRoundResult(
                    loadResult.deliveries(), loadResult.nanos(), relay.cpuTime().since(before), 0));
            List<CpuTimeSnapshot> gateways = gatewayCluster.gatewayCpuTimes();
            Optional<CpuTimeSnapshot> nats = gatewayCluster.natsCpuTime();
            loadResult = toFleet.send(sendRate, options.time());
            long used = 0;
            List<CpuTimeSnapshot> after = gatewayCluster.gatewayCpuTimes();
            for (int g = 0; g < after.size(); g++) {
                used += after.get(g).since(gateways.get(g));
            }
            subject.add(new BenchmarkRoundResult(loadResult.deliveries(), loadResult.nanos(), used, 0));
            if (nats.isPresent()) {
                bus.add(gatewayCluster.natsCpuTime().orElseThrow().since(nats.get()) / 1e3 / loadResult.deliveries());
            }
        }
        RoundComparison comparison = new RoundComparison(reference, subject);
        out.print(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | **%.2f** | %.3f | %.3f | **%.2f** | %s |\n",
                what,
                comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.referenceMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.subjectMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery),
                bus.isEmpty() ? "" : String.format(Locale.ROOT, "%.3f", RoundComparison.median(bus))));
    }
}

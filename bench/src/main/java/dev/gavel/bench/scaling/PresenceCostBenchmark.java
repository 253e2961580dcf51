package dev.gavel.bench.scaling;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.LoadParticipantCredentials;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.CpuTimeSnapshot;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the NATS traffic, processor time and heap that gateways use to share presence while the topic is idle. Used
 * by one thread.
 */
final class PresenceCostBenchmark {
    private static final Duration SETTLE = Duration.ofSeconds(8);
    private static final Duration IDLE_PERIOD = Duration.ofSeconds(15);
    private static final List<Integer> PARTICIPANT_COUNTS = List.of(0, 300, 3000);

    private final ClusterScalingOptions options;
    private final RunWorkspace runWorkspace;
    private final PrintStream out;

    PresenceCostBenchmark(ClusterScalingOptions options, RunWorkspace runWorkspace, PrintStream out) {
        this.options = options;
        this.runWorkspace = runWorkspace;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        int maxCount = PARTICIPANT_COUNTS.getLast();
        BenchTopicConfig topic = new BenchTopicConfig(0, maxCount, new SecureRandom());
        out.print("""

                No messages are sent. %d gateways; the participants have ten capabilities each and are distributed \
                evenly over all gateways except the first. The bytes per arrival are measured while participants \
                connect, everything else while nothing happens. The heap is that of the first gateway after a \
                collection.

                | participants | bytes through NATS per arrival | NATS messages/s | NATS bytes/s \
                | CPU of a gateway, ms/s | heap per participant in every other gateway, bytes |
                |--:|--:|--:|--:|--:|--:|
                """.formatted(options.maxGateways()));
        Path directory = Files.createTempDirectory(runWorkspace.directory(), "fleet");
        try (GatewayCluster gatewayCluster = GatewayCluster.start(
                directory, List.of("./gavel"), options.maxGateways(), true, topic.configuration())) {
            ClusterGatewayProcess first = gatewayCluster.gateways().getFirst();
            List<InetSocketAddress> others = gatewayCluster.gateways().stream()
                    .skip(1)
                    .map(ClusterGatewayProcess::address)
                    .toList();
            long empty = first.heapBytes();
            for (int present : PARTICIPANT_COUNTS) {
                long before = natsCounter(gatewayCluster, "in_bytes");
                List<LoadParticipantCredentials> credentials = topic.participants(present);
                try (LoadGenerator _ =
                        LoadGenerator.connect(others, BenchTopicConfig.WEB_SOCKET_PATH, credentials, 0, true)) {
                    long arrived = natsCounter(gatewayCluster, "in_bytes") - before;
                    Thread.sleep(SETTLE);
                    double[] idleCost = measureIdlePeriod(gatewayCluster);
                    out.print(String.format(
                            Locale.ROOT,
                            "| %,d | %s | %.1f | %,.0f | %.1f | %s |\n",
                            present,
                            perParticipant(arrived, present),
                            idleCost[0],
                            idleCost[1],
                            idleCost[2],
                            perParticipant(first.heapBytes() - empty, present)));
                }
            }
        }
    }

    private static String perParticipant(long bytes, int participants) {
        return participants == 0 ? "" : String.format(Locale.ROOT, "%,d", bytes / participants);
    }

    /** Messages and bytes per second, and milliseconds of processor time per second and gateway. */
    private static double[] measureIdlePeriod(GatewayCluster gatewayCluster) throws IOException, InterruptedException {
        List<CpuTimeSnapshot> before = gatewayCluster.gatewayCpuTimes();
        long messages = natsCounter(gatewayCluster, "in_msgs");
        long bytes = natsCounter(gatewayCluster, "in_bytes");
        long start = System.nanoTime();
        Thread.sleep(IDLE_PERIOD);
        double seconds = (System.nanoTime() - start) / 1e9;
        List<CpuTimeSnapshot> after = gatewayCluster.gatewayCpuTimes();
        double used = 0;
        for (int i = 0; i < after.size(); i++) {
            used += after.get(i).since(before.get(i));
        }
        return new double[] {
            (natsCounter(gatewayCluster, "in_msgs") - messages) / seconds,
            (natsCounter(gatewayCluster, "in_bytes") - bytes) / seconds,
            used / 1e6 / seconds / after.size()
        };
    }

    private static long natsCounter(GatewayCluster gatewayCluster, String name) throws IOException {
        URI monitor = gatewayCluster.natsMonitorUrl().orElseThrow();
        try (InputStream answer = monitor.toURL().openStream()) {
            String text = new String(answer.readAllBytes(), UTF_8);
            Matcher matcher = Pattern.compile("\"" + Pattern.quote(name) + "\":\\s*(\\d+)")
                    .matcher(text);
            if (!matcher.find()) {
                throw new IOException("NATS does not report " + name);
            }
            return Long.parseLong(matcher.group(1));
        }
    }
}

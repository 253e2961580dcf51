package dev.gavel.bench.growth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.CpuTime;
import dev.gavel.bench.Load;
import dev.gavel.bench.Participant;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.chaos.Fleet;
import dev.gavel.bench.chaos.Node;
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
 * What gateways tell each other of who is there, while nobody says anything: as NATS counts it, and in processor time.
 * Used by one thread.
 */
final class PresenceCost {
    private static final Duration SETTLE = Duration.ofSeconds(8);
    private static final Duration WATCH = Duration.ofSeconds(15);
    private static final List<Integer> PRESENT = List.of(0, 300, 3000);

    private final GrowthOptions options;
    private final Workbench workbench;
    private final PrintStream out;

    PresenceCost(GrowthOptions options, Workbench workbench, PrintStream out) {
        this.options = options;
        this.workbench = workbench;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        int most = PRESENT.getLast();
        BenchTopic topic = new BenchTopic(0, most, new SecureRandom());
        out.print("""

                Nobody says anything; %d gateways, participants spread evenly over all but the first, with ten \
                capabilities each. Arriving is what NATS took in for each while they came; the rest is of a time of \
                quiet, the heap what lives in the first gateway after a collection, for each who is elsewhere.

                | participants | arriving, bytes each | in NATS, messages/s | bytes/s | a gateway's CPU, ms/s \
                | heap elsewhere, bytes each |
                |--:|--:|--:|--:|--:|--:|
                """.formatted(options.most()));
        Path directory = Files.createTempDirectory(workbench.directory(), "fleet");
        try (Fleet fleet = Fleet.start(directory, List.of("./gavel"), options.most(), true, topic.configuration())) {
            Node first = fleet.nodes().getFirst();
            List<InetSocketAddress> others =
                    fleet.nodes().stream().skip(1).map(Node::address).toList();
            long empty = first.heap();
            for (int present : PRESENT) {
                long before = counted(fleet, "in_bytes");
                List<Participant> participants = topic.participants(present);
                try (Load _ = Load.connect(others, BenchTopic.PATH, participants, 0, true)) {
                    long arrived = counted(fleet, "in_bytes") - before;
                    Thread.sleep(SETTLE);
                    double[] quiet = watch(fleet);
                    out.print(String.format(
                            Locale.ROOT,
                            "| %,d | %s | %.1f | %,.0f | %.1f | %s |\n",
                            present,
                            each(arrived, present),
                            quiet[0],
                            quiet[1],
                            quiet[2],
                            each(first.heap() - empty, present)));
                }
            }
        }
    }

    private static String each(long bytes, int participants) {
        return participants == 0 ? "" : String.format(Locale.ROOT, "%,d", bytes / participants);
    }

    /** Messages and bytes a second, and milliseconds of processor time a second and gateway. */
    private static double[] watch(Fleet fleet) throws IOException, InterruptedException {
        List<CpuTime> before = fleet.cpuTimes();
        long messages = counted(fleet, "in_msgs");
        long bytes = counted(fleet, "in_bytes");
        long start = System.nanoTime();
        Thread.sleep(WATCH);
        double seconds = (System.nanoTime() - start) / 1e9;
        List<CpuTime> after = fleet.cpuTimes();
        double used = 0;
        for (int i = 0; i < after.size(); i++) {
            used += after.get(i).since(before.get(i));
        }
        return new double[] {
            (counted(fleet, "in_msgs") - messages) / seconds,
            (counted(fleet, "in_bytes") - bytes) / seconds,
            used / 1e6 / seconds / after.size()
        };
    }

    private static long counted(Fleet fleet, String name) throws IOException {
        URI monitor = fleet.busMonitor().orElseThrow();
        try (InputStream answer = monitor.toURL().openStream()) {
            String text = new String(answer.readAllBytes(), UTF_8);
            Matcher matcher = Pattern.compile("\"" + Pattern.quote(name) + "\":\\s*(\\d+)")
                    .matcher(text);
            if (!matcher.find()) {
                throw new IOException("NATS does not say " + name);
            }
            return Long.parseLong(matcher.group(1));
        }
    }
}

package dev.gavel.bench.growth;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.Comparison;
import dev.gavel.bench.CpuTime;
import dev.gavel.bench.Delivered;
import dev.gavel.bench.Load;
import dev.gavel.bench.Pace;
import dev.gavel.bench.Round;
import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.chaos.Fleet;
import dev.gavel.bench.chaos.Node;
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
 * One sender, and receivers in turn at each of the gateways, beside the relay in the same minute. What gateways use is
 * added up; what NATS uses is told by itself. Used by one thread.
 */
final class GrowingFanOut {
    private static final int PACED = 400;

    private final GrowthOptions options;
    private final Workbench workbench;
    private final ServerProcess relay;
    private final InetSocketAddress relayAddress;
    private final PrintStream out;
    private final BenchTopic topic;

    GrowingFanOut(
            GrowthOptions options,
            Workbench workbench,
            ServerProcess relay,
            InetSocketAddress relayAddress,
            PrintStream out) {
        this.options = options;
        this.workbench = workbench;
        this.relay = relay;
        this.relayAddress = relayAddress;
        this.out = out;
        this.topic = new BenchTopic(1, options.receivers(), new SecureRandom());
    }

    void run() throws IOException, InterruptedException {
        out.print("""

                One sender, %d receivers spread evenly; ratios are to the relay in the same minute, the median over \
                neighbouring rounds (%d of %d s each).

                | what | relay deliveries/s | deliveries/s | ratio | relay CPU µs/delivery | gateways' CPU µs/delivery \
                | ratio | NATS CPU µs/delivery |
                |---|--:|--:|--:|--:|--:|--:|--:|
                """.formatted(
                        options.receivers(), options.rounds(), options.time().toSeconds()));
        one("embedded bus, 1 process", 1, false);
        for (int gateways = 1; gateways <= options.most(); gateways++) {
            one("NATS, " + gateways + (gateways == 1 ? " gateway" : " gateways"), gateways, true);
        }
    }

    private void one(String what, int gateways, boolean shared) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(workbench.directory(), "fleet");
        try (Fleet fleet = Fleet.start(directory, List.of("./gavel"), gateways, shared, topic.configuration());
                Load toRelay = connect(List.of(relayAddress), false);
                Load toFleet = connect(fleet.nodes().stream().map(Node::address).toList(), true)) {
            compare(what + ", saturating", new Pace.Saturating(), fleet, toRelay, toFleet);
            compare(what + ", " + PACED + " messages/s", new Pace.Even(PACED), fleet, toRelay, toFleet);
        }
    }

    private Load connect(List<InetSocketAddress> servers, boolean welcomes) throws IOException {
        return Load.connect(servers, BenchTopic.PATH, topic.participants(options.receivers()), 1, welcomes);
    }

    private void compare(String what, Pace pace, Fleet fleet, Load toRelay, Load toFleet) {
        toRelay.send(pace, options.time());
        toFleet.send(pace, options.time().multipliedBy(2));
        List<Round> reference = new ArrayList<>();
        List<Round> subject = new ArrayList<>();
        List<Double> bus = new ArrayList<>();
        for (int i = 0; i < options.rounds(); i++) {
            CpuTime before = relay.cpuTime();
            Delivered delivered = toRelay.send(pace, options.time());
            reference.add(new Round(
                    delivered.deliveries(), delivered.nanos(), relay.cpuTime().since(before), 0));
            List<CpuTime> gateways = fleet.cpuTimes();
            Optional<CpuTime> nats = fleet.busTime();
            delivered = toFleet.send(pace, options.time());
            long used = 0;
            List<CpuTime> after = fleet.cpuTimes();
            for (int g = 0; g < after.size(); g++) {
                used += after.get(g).since(gateways.get(g));
            }
            subject.add(new Round(delivered.deliveries(), delivered.nanos(), used, 0));
            if (nats.isPresent()) {
                bus.add(fleet.busTime().orElseThrow().since(nats.get()) / 1e3 / delivered.deliveries());
            }
        }
        Comparison comparison = new Comparison(reference, subject);
        out.print(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | **%.2f** | %.3f | %.3f | **%.2f** | %s |\n",
                what,
                comparison.ofReference(Round::perSecond),
                comparison.ofSubject(Round::perSecond),
                comparison.ratio(Round::perSecond),
                comparison.ofReference(Round::cpuMicros),
                comparison.ofSubject(Round::cpuMicros),
                comparison.ratio(Round::cpuMicros),
                bus.isEmpty() ? "" : String.format(Locale.ROOT, "%.3f", Comparison.median(bus))));
    }
}

package dev.gavel.bench.suite;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.Comparison;
import dev.gavel.bench.Load;
import dev.gavel.bench.Pace;
import dev.gavel.bench.Round;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.suite.Plot.Bar;
import dev.gavel.bench.suite.Servers.Running;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One message to many: Gavel beside the raw relay and a NATS server, and with ten senders instead of one. Rounds take
 * turns over connections that stay open. Used by one thread.
 */
final class FanOutPart implements Part {
    private static final int ROUNDS = 6;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final int PACED = 400;
    private static final int MOST_SENDERS = 10;

    private static final String ALONE = "alone";
    private static final String TOGETHER = "together";

    private final BenchTopic topic = new BenchTopic(List.of(ALONE, TOGETHER), MOST_SENDERS, 200, new SecureRandom());
    private final List<Bar> deliveries = new ArrayList<>();
    private final List<Bar> cpu = new ArrayList<>();

    @Override
    public String name() {
        return "fan-out";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(4);
    }

    /** A server and the connections to it. */
    private record Side(Running server, Load load) {
        Round round(Pace pace) {
            return Round.of(server.process(), () -> load.send(pace, TIME));
        }
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        Running relay = Servers.relay(workbench);
        Running gavel = Servers.gavel(workbench, topic.configuration());
        Running nats = Servers.nats(workbench);
        for (int receivers : List.of(50, 200)) {
            try (Load toRelay =
                            Load.connect(relay.address(), BenchTopic.PATH, topic.participants(1, receivers), 1, false);
                    Load toGavel = Load.connect(
                            gavel.address(), BenchTopic.path(ALONE), topic.participants(1, receivers), 1, true);
                    Load toNats = Load.nats(nats.address(), receivers)) {
                List<Side> sides = List.of(new Side(relay, toRelay), new Side(gavel, toGavel), new Side(nats, toNats));
                saturating(receivers, sides, sheet);
                if (receivers == 50) {
                    paced(sides.subList(0, 2), sheet);
                    senders(sides.get(1), sheet);
                }
            }
        }
        sheet.plot(new Plot("fan-out", "Deliveries a second, saturating", "the raw relay's are 1", deliveries));
        sheet.plot(new Plot("fan-out-cpu", "Processor time for a delivery", "the raw relay's is 1", cpu));
    }

    private void saturating(int receivers, List<Side> sides, Sheet sheet) {
        List<List<Round>> rounds = rounds(new Pace.Saturating(), sides);
        Comparison toRelay = new Comparison(rounds.get(0), rounds.get(1));
        Comparison toNats = new Comparison(rounds.get(2), rounds.get(1));
        Comparison natsToRelay = new Comparison(rounds.get(0), rounds.get(2));
        double fewest = receivers == 50 ? 0.65 : 0.75;
        String what = receivers + " receivers, saturating: ";
        sheet.ratio(
                what + "deliveries to the raw relay's",
                toRelay.ratio(Round::perSecond),
                Target.atLeast(fewest),
                millions(toRelay.ofSubject(Round::perSecond)) + " to "
                        + millions(toRelay.ofReference(Round::perSecond)));
        sheet.ratio(
                what + "CPU for a delivery to the relay's",
                toRelay.ratio(Round::cpuMicros),
                Target.atMost(1.7),
                cpu(toRelay));
        sheet.ratio(
                what + "deliveries to nats-server's",
                toNats.ratio(Round::perSecond),
                Target.atLeast(3),
                millions(toNats.ofSubject(Round::perSecond)) + " to " + millions(toNats.ofReference(Round::perSecond)));
        String label = ", " + receivers + " receivers";
        deliveries.add(Bar.reference("relay" + label, 1, ""));
        deliveries.add(Bar.gavel("Gavel" + label, toRelay.ratio(Round::perSecond), "", fewest));
        deliveries.add(Bar.reference("nats-server" + label, natsToRelay.ratio(Round::perSecond), ""));
        cpu.add(Bar.reference("relay" + label, 1, ""));
        cpu.add(Bar.gavel("Gavel" + label, toRelay.ratio(Round::cpuMicros), "", 1.7));
        cpu.add(Bar.reference("nats-server" + label, natsToRelay.ratio(Round::cpuMicros), ""));
    }

    private void paced(List<Side> sides, Sheet sheet) {
        List<List<Round>> rounds = rounds(new Pace.Even(PACED), sides);
        Comparison toRelay = new Comparison(rounds.get(0), rounds.get(1));
        sheet.ratio(
                "50 receivers, " + PACED + " messages/s: CPU for a delivery to the relay's",
                toRelay.ratio(Round::cpuMicros),
                Target.atMost(1.6),
                cpu(toRelay));
        cpu.add(Bar.gavel("Gavel, 50 receivers, " + PACED + "/s", toRelay.ratio(Round::cpuMicros), "", 1.6));
    }

    private void senders(Side one, Sheet sheet) throws IOException {
        try (Load load = Load.connect(
                one.server().address(),
                BenchTopic.path(TOGETHER),
                topic.participants(MOST_SENDERS, 50 + 1 - MOST_SENDERS),
                MOST_SENDERS,
                true)) {
            List<List<Round>> rounds = rounds(new Pace.Saturating(), List.of(one, new Side(one.server(), load)));
            Comparison comparison = new Comparison(rounds.get(0), rounds.get(1));
            sheet.ratio(
                    "ten senders, saturating: deliveries to one sender's",
                    comparison.ratio(Round::perSecond),
                    Target.atLeast(1),
                    millions(comparison.ofSubject(Round::perSecond)) + " to "
                            + millions(comparison.ofReference(Round::perSecond)));
        }
    }

    /** Rounds of all sides in turn, by side. */
    private static List<List<Round>> rounds(Pace pace, List<Side> sides) {
        List<List<Round>> rounds = new ArrayList<>();
        for (Side side : sides) {
            side.load().send(pace, WARM_UP);
            rounds.add(new ArrayList<>());
        }
        for (int i = 0; i < ROUNDS; i++) {
            for (int side = 0; side < sides.size(); side++) {
                rounds.get(side).add(sides.get(side).round(pace));
            }
        }
        return rounds;
    }

    private static String millions(double perSecond) {
        return String.format(Locale.ROOT, "%.2f M/s", perSecond / 1e6);
    }

    private static String cpu(Comparison comparison) {
        return String.format(
                Locale.ROOT,
                "%.3f to %.3f µs",
                comparison.ofSubject(Round::cpuMicros),
                comparison.ofReference(Round::cpuMicros));
    }
}

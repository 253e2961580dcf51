package dev.gavel.bench.suite;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.Certificate;
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
 * What TLS costs a delivery, and what compression, which Gavel does not offer, would cost and save. Two servers, with TLS
 * and without, take turns. Used by one thread.
 */
final class TlsPart implements Part {
    private static final int RECEIVERS = 50;
    private static final int ROUNDS = 6;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration COMPRESSING = Duration.ofMillis(500);
    private static final Pace PACED = new Pace.Even(400);

    private final List<Bar> bars = new ArrayList<>();

    @Override
    public String name() {
        return "tls and compression";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        BenchTopic topic = new BenchTopic(1, RECEIVERS, new SecureRandom());
        Certificate certificate = Certificate.make(workbench.directory());
        Running clear = Servers.gavel(workbench, topic.configuration());
        Running secret = Servers.gavel(workbench, certificate.configuration() + topic.configuration());
        double clearMicros;
        try (Load inClear = Load.connect(clear.address(), BenchTopic.PATH, topic.participants(RECEIVERS), 1, true);
                Load overTls = Load.connect(
                        secret.address(), certificate.context(), BenchTopic.PATH, topic.participants(RECEIVERS), 1)) {
            bars.add(Bar.reference("in the clear", 1, ""));
            Comparison paced = compare(PACED, clear, inClear, secret, overTls);
            row(PACED, paced, sheet);
            clearMicros = paced.ofReference(Round::cpuMicros);
            row(new Pace.Saturating(), compare(new Pace.Saturating(), clear, inClear, secret, overTls), sheet);
        }
        for (int level : List.of(1, 6)) {
            for (Deflating.Memory memory : Deflating.Memory.values()) {
                compression(level, memory, clearMicros, sheet);
            }
        }
        sheet.plot(new Plot(
                "tls",
                "Processor time for a delivery to " + RECEIVERS + " receivers",
                "in the clear it is 1; compression, which Gavel does not offer, is calculated at " + PACED,
                bars));
    }

    private static Comparison compare(Pace pace, Running clear, Load inClear, Running secret, Load overTls) {
        inClear.send(pace, WARM_UP);
        overTls.send(pace, WARM_UP);
        List<Round> reference = new ArrayList<>();
        List<Round> subject = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            reference.add(Round.of(clear.process(), () -> inClear.send(pace, TIME)));
            subject.add(Round.of(secret.process(), () -> overTls.send(pace, TIME)));
        }
        return new Comparison(reference, subject);
    }

    private void row(Pace pace, Comparison comparison, Sheet sheet) {
        double ratio = comparison.ratio(Round::cpuMicros);
        sheet.ratio(
                RECEIVERS + " receivers, " + pace + ": CPU for a delivery over TLS to that in the clear",
                ratio,
                Target.none(),
                String.format(
                        Locale.ROOT,
                        "%.3f to %.3f µs; %.2f to %.2f cores of the server, %.2f to %.2f of the load",
                        comparison.ofSubject(Round::cpuMicros),
                        comparison.ofReference(Round::cpuMicros),
                        comparison.ofSubject(Round::serverCores),
                        comparison.ofReference(Round::serverCores),
                        comparison.ofSubject(Round::loadCores),
                        comparison.ofReference(Round::loadCores)));
        bars.add(Bar.gavel("TLS, " + pace, ratio, ""));
    }

    /** A row of what a delivery would take with compression, to what it takes without. */
    private void compression(int level, Deflating.Memory memory, double clearMicros, Sheet sheet) {
        boolean once = memory == Deflating.Memory.NONE;
        Deflating deflating = Deflating.measure(level, memory, once ? 1 : RECEIVERS, COMPRESSING);
        double addedMicros = deflating.nanos() / 1e3 / (once ? RECEIVERS : 1);
        double ratio = (clearMicros + addedMicros) / clearMicros;
        String what = "deflate level " + level + (once ? ", once for all" : ", for each receiver");
        sheet.ratio(
                what + ": CPU for a delivery to that without, as calculated",
                ratio,
                Target.none(),
                String.format(
                        Locale.ROOT,
                        "%.3f µs more than %.3f, at %s; saves %.0f %% of the bytes",
                        addedMicros,
                        clearMicros,
                        PACED,
                        100 * deflating.saved()));
        bars.add(Bar.reference(what, ratio, ""));
    }
}

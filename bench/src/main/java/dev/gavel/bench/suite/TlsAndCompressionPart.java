package dev.gavel.bench.suite;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SelfSignedCertificate;
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
 * Suite part that measures how much processor time TLS costs per delivery, and calculates what compression would cost
 * and save. Two servers, with and without TLS, alternate. Used by one thread.
 */
final class TlsAndCompressionPart implements SuitePart {
    private static final int RECEIVERS = 50;
    private static final int ROUNDS = 6;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration COMPRESSING = Duration.ofMillis(500);
    private static final SendRate PACED = new SendRate.Constant(400);

    private final List<Bar> bars = new ArrayList<>();

    @Override
    public String name() {
        return "tls and compression";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        BenchTopicConfig topic = new BenchTopicConfig(1, RECEIVERS, new SecureRandom());
        SelfSignedCertificate certificate = SelfSignedCertificate.generate(runWorkspace.directory());
        RunningServer clear = SuiteServerLauncher.startGavel(runWorkspace, topic.configuration());
        RunningServer secret =
                SuiteServerLauncher.startGavel(runWorkspace, certificate.configuration() + topic.configuration());
        double clearMicros;
        try (LoadGenerator inClear = LoadGenerator.connect(
                        clear.address(), BenchTopicConfig.WEB_SOCKET_PATH, topic.participants(RECEIVERS), 1, true);
                LoadGenerator overTls = LoadGenerator.connect(
                        secret.address(),
                        certificate.sslContext(),
                        BenchTopicConfig.WEB_SOCKET_PATH,
                        topic.participants(RECEIVERS),
                        1)) {
            bars.add(Bar.reference("without TLS", 1, ""));
            RoundComparison paced = compare(PACED, clear, inClear, secret, overTls);
            reportTls(PACED, paced, suiteResults);
            clearMicros = paced.referenceMedian(BenchmarkRoundResult::cpuMicrosPerDelivery);
            reportTls(
                    new SendRate.Saturating(),
                    compare(new SendRate.Saturating(), clear, inClear, secret, overTls),
                    suiteResults);
        }
        for (int level : List.of(1, 6)) {
            for (DeflateMeasurement.CompressionContext compressionContext :
                    DeflateMeasurement.CompressionContext.values()) {
                reportCompression(level, compressionContext, clearMicros, suiteResults);
            }
        }
        suiteResults.addChart(new BarChart(
                "tls",
                "CPU time per delivery to " + RECEIVERS + " receivers",
                "without TLS = 1; compression, which Gavel does not offer, is calculated at " + PACED,
                bars));
    }

    private static RoundComparison compare(
            SendRate sendRate,
            RunningServer clear,
            LoadGenerator inClear,
            RunningServer secret,
            LoadGenerator overTls) {
        inClear.send(sendRate, WARM_UP);
        overTls.send(sendRate, WARM_UP);
        List<BenchmarkRoundResult> reference = new ArrayList<>();
        List<BenchmarkRoundResult> subject = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            reference.add(BenchmarkRoundResult.measure(clear.process(), () -> inClear.send(sendRate, TIME)));
            subject.add(BenchmarkRoundResult.measure(secret.process(), () -> overTls.send(sendRate, TIME)));
        }
        return new RoundComparison(reference, subject);
    }

    private void reportTls(SendRate sendRate, RoundComparison comparison, SuiteResults suiteResults) {
        double ratio = comparison.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery);
        suiteResults.addRatio(
                RECEIVERS + " receivers, " + sendRate + ": CPU time per delivery with TLS, ratio to without",
                ratio,
                FigureTarget.none(),
                String.format(
                        Locale.ROOT,
                        "%.3f µs; without TLS: %.3f µs; cores used by the server: %.2f, without TLS: %.2f; by the load"
                                + " generator: %.2f, without TLS: %.2f",
                        comparison.subjectMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                        comparison.referenceMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                        comparison.subjectMedian(BenchmarkRoundResult::serverCores),
                        comparison.referenceMedian(BenchmarkRoundResult::serverCores),
                        comparison.subjectMedian(BenchmarkRoundResult::loadCores),
                        comparison.referenceMedian(BenchmarkRoundResult::loadCores)));
        bars.add(Bar.gavel("TLS, " + sendRate, ratio, ""));
    }

    /** Adds the ratio of a delivery's cost with compression to that without. */
    private void reportCompression(
            int level,
            DeflateMeasurement.CompressionContext compressionContext,
            double clearMicros,
            SuiteResults suiteResults) {
        boolean once = compressionContext == DeflateMeasurement.CompressionContext.NONE;
        DeflateMeasurement deflateMeasurement =
                DeflateMeasurement.measure(level, compressionContext, once ? 1 : RECEIVERS, COMPRESSING);
        double addedMicros = deflateMeasurement.nanosPerMessage() / 1e3 / (once ? RECEIVERS : 1);
        double ratio = (clearMicros + addedMicros) / clearMicros;
        String what = "deflate level " + level + (once ? ", once for all" : ", for each receiver");
        suiteResults.addRatio(
                what + ": calculated CPU time per delivery, ratio to no compression",
                ratio,
                FigureTarget.none(),
                String.format(
                        Locale.ROOT,
                        "%.3f µs more than %.3f µs, at %s; saves %.0f %% of the bytes",
                        addedMicros,
                        clearMicros,
                        PACED,
                        100 * deflateMeasurement.savedShare()));
        bars.add(Bar.reference(what, ratio, ""));
    }
}

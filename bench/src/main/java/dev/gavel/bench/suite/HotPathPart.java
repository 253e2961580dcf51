package dev.gavel.bench.suite;

import dev.gavel.bench.jmh.CapabilityCheckBenchmark;
import dev.gavel.bench.jmh.EventLoopThreadExecutor;
import dev.gavel.bench.jmh.FanOutDeliveryBenchmark;
import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Suite part that runs the JMH benchmarks of message delivery and capability checks. */
final class HotPathPart implements SuitePart {
    private static final TimeValue ITERATION = TimeValue.milliseconds(300);
    private static final int WARM_UP = 4;
    private static final int MEASURED = 3;
    private static final int FEW = 10;
    private static final int SOME = 100;
    private static final int MANY = 1000;
    private static final FigureTarget BYTES = FigureTarget.atMost(8);
    private static final FigureTarget NANOS = FigureTarget.atMost(200);

    @Override
    public String name() {
        return "hot";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws RunnerException {
        Collection<RunResult> results = new Runner(options()).run();
        reportAllocation(results, suiteResults);
        reportCapabilityChecks(results, suiteResults);
    }

    private static Options options() {
        return new OptionsBuilder()
                .include("^" + FanOutDeliveryBenchmark.class.getName() + "\\.")
                .include("^" + CapabilityCheckBenchmark.class.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend(EventLoopThreadExecutor.OPTIONS.toArray(String[]::new))
                // The log of the forked JVM is not read.
                .jvmArgsAppend("-Dslf4j.internal.verbosity=ERROR")
                .forks(1)
                .warmupIterations(WARM_UP)
                .warmupTime(ITERATION)
                .measurementIterations(MEASURED)
                .measurementTime(ITERATION)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private static void reportAllocation(Collection<RunResult> results, SuiteResults suiteResults) {
        double few = allocated(results, FEW);
        double some = allocated(results, SOME);
        double many = allocated(results, MANY);
        suiteResults.addFigure(
                "bytes allocated per message for each additional receiver",
                Math.max(0, many - few) / (MANY - FEW),
                " B",
                BYTES,
                String.format(
                        Locale.ROOT,
                        "message of 400 B: %.0f B for %d receivers, %.0f B for %d, %.0f B for %d; %.1f ns per receiver",
                        few,
                        FEW,
                        some,
                        SOME,
                        many,
                        MANY,
                        nanos(deliveryResult(results, MANY)) / MANY));
        suiteResults.addChart(new BarChart(
                "hot",
                "Memory per message",
                "bytes allocated to deliver a message of 400 bytes; the mark allows 8 bytes for each receiver after"
                        + " the first 10",
                List.of(
                        BarChart.Bar.gavel(FEW + " receivers", few, " B"),
                        BarChart.Bar.gavel(SOME + " receivers", some, " B", few + 8 * (SOME - FEW)),
                        BarChart.Bar.gavel(MANY + " receivers", many, " B", few + 8 * (MANY - FEW)))));
    }

    private static void reportCapabilityChecks(Collection<RunResult> results, SuiteResults suiteResults) {
        double comparison = nanos(checkResult(results, "comparison"));
        String details = String.format(
                Locale.ROOT,
                "ten capabilities, the last one matches; comparing two texts of 400 B takes %.1f ns",
                comparison);
        suiteResults.addFigure("capability check by kind", nanos(checkResult(results, "kind")), " ns", NANOS, details);
        // Reading the payload takes this long, not the patterns.
        suiteResults.addFigure(
                "capability check that reads the payload",
                nanos(checkResult(results, "payload")),
                " ns",
                FigureTarget.none(),
                "ten capabilities, the last one matches; payload of 330 B");
    }

    private static double allocated(Collection<RunResult> results, int receivers) {
        Result<?> allocated =
                deliveryResult(results, receivers).getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated == null) {
            throw new IllegalStateException("JMH did not report the allocation rate");
        }
        return allocated.getScore();
    }

    private static double nanos(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    private static RunResult deliveryResult(Collection<RunResult> results, int receivers) {
        return results.stream()
                .filter(result ->
                        Integer.toString(receivers).equals(result.getParams().getParam("receivers")))
                .findFirst()
                .orElseThrow();
    }

    private static RunResult checkResult(Collection<RunResult> results, String method) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .findFirst()
                .orElseThrow();
    }
}

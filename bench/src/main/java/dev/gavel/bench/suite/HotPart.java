package dev.gavel.bench.suite;

import dev.gavel.bench.Workbench;
import dev.gavel.bench.hot.CapabilityCheck;
import dev.gavel.bench.hot.LoopThreads;
import dev.gavel.bench.hot.MessageToMany;
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

/** What one message allocates and how long one capability check takes, without a socket: by JMH, in a JVM for each. */
final class HotPart implements Part {
    private static final TimeValue ITERATION = TimeValue.milliseconds(300);
    private static final int WARM_UP = 4;
    private static final int MEASURED = 3;
    private static final int FEW = 10;
    private static final int SOME = 100;
    private static final int MANY = 1000;
    private static final Target BYTES = Target.atMost(8);
    private static final Target NANOS = Target.atMost(200);

    @Override
    public String name() {
        return "hot";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws RunnerException {
        Collection<RunResult> results = new Runner(options()).run();
        allocation(results, sheet);
        checks(results, sheet);
    }

    private static Options options() {
        return new OptionsBuilder()
                .include("^" + MessageToMany.class.getName() + "\\.")
                .include("^" + CapabilityCheck.class.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend(LoopThreads.OPTIONS.toArray(String[]::new))
                // Nobody reads a log of it.
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

    private static void allocation(Collection<RunResult> results, Sheet sheet) {
        double few = allocated(results, FEW);
        double some = allocated(results, SOME);
        double many = allocated(results, MANY);
        sheet.figure(
                "bytes allocated for a message and receiver",
                Math.max(0, many - few) / (MANY - FEW),
                " B",
                BYTES,
                String.format(
                        Locale.ROOT,
                        "%.0f B for a message of 400 B to %d receivers, %.0f B to %d, %.0f B to %d, in %.1f ns a receiver",
                        few,
                        FEW,
                        some,
                        SOME,
                        many,
                        MANY,
                        nanos(toMany(results, MANY)) / MANY));
        sheet.plot(new Plot(
                "hot",
                "Memory for one message",
                "bytes allocated to deliver a message of 400 bytes; the mark is 8 bytes a receiver above 10 receivers",
                List.of(
                        Plot.Bar.gavel(FEW + " receivers", few, " B"),
                        Plot.Bar.gavel(SOME + " receivers", some, " B", few + 8 * (SOME - FEW)),
                        Plot.Bar.gavel(MANY + " receivers", many, " B", few + 8 * (MANY - FEW)))));
    }

    private static void checks(Collection<RunResult> results, Sheet sheet) {
        double comparison = nanos(check(results, "comparison"));
        String beside = String.format(
                Locale.ROOT,
                "ten capabilities, the last one admits; comparing two texts of 400 B: %.1f ns",
                comparison);
        sheet.figure("a capability check, by kind", nanos(check(results, "kind")), " ns", NANOS, beside);
        // No pattern is what takes this long, but going through the payload.
        sheet.figure(
                "a capability check that reads the payload",
                nanos(check(results, "payload")),
                " ns",
                Target.none(),
                "ten capabilities, the last one admits; a payload of 330 B");
    }

    private static double allocated(Collection<RunResult> results, int receivers) {
        Result<?> allocated = toMany(results, receivers).getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated == null) {
            throw new IllegalStateException("JMH says nothing of what was allocated");
        }
        return allocated.getScore();
    }

    private static double nanos(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    private static RunResult toMany(Collection<RunResult> results, int receivers) {
        return results.stream()
                .filter(result ->
                        Integer.toString(receivers).equals(result.getParams().getParam("receivers")))
                .findFirst()
                .orElseThrow();
    }

    private static RunResult check(Collection<RunResult> results, String method) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .findFirst()
                .orElseThrow();
    }
}

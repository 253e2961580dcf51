package dev.gavel.bench.fanout;

import dev.gavel.bench.load.ChatFrameGenerator;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Prints the results of a {@link FanOutBenchmark} as Markdown tables, with the lowest and highest ratio between the
 * compared servers.
 */
public final class FanOutReport {
    private final FanOutOptions options;
    private final PrintStream out;
    private final String reference;
    private final String subject;
    private final StringBuilder spreadRows = new StringBuilder();

    FanOutReport(FanOutOptions options, PrintStream out, String reference, String subject) {
        this.options = options;
        this.out = out;
        this.reference = reference;
        this.subject = subject;
        printHeader();
    }

    /** Prints the row of a case as soon as it is measured, because a run takes minutes. */
    void add(int receivers, SendRate sendRate, RoundComparison comparison) {
        String what = "%d receivers, %s".formatted(receivers, sendRate);
        out.print(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | **%.2f** | %.3f | %.3f | **%.2f** |\n",
                what,
                comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond),
                comparison.referenceMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.subjectMedian(BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery)));
        spreadRows.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | %.2f | %.2f | %.2f |\n",
                what,
                spread(comparison, BenchmarkRoundResult::deliveriesPerSecond),
                spread(comparison, BenchmarkRoundResult::cpuMicrosPerDelivery),
                comparison.referenceMedian(BenchmarkRoundResult::serverCores),
                comparison.referenceMedian(BenchmarkRoundResult::loadCores),
                comparison.subjectMedian(BenchmarkRoundResult::serverCores),
                comparison.subjectMedian(BenchmarkRoundResult::loadCores)));
    }

    private static String spread(RoundComparison comparison, ToDoubleFunction<BenchmarkRoundResult> measure) {
        List<Double> ratios = comparison.ratios(measure);
        return String.format(Locale.ROOT, "%.2f to %.2f", Collections.min(ratios), Collections.max(ratios));
    }

    private void printHeader() {
        out.print("""
                Fan-out of %d-byte envelopes from %d sender%s. Every delivery is counted and checked for order.
                %s.
                %d rounds of %s s for each server, in turns. A ratio is the median over neighbouring rounds.

                """.formatted(
                        ChatFrameGenerator.MEAN_LENGTH,
                        options.senders(),
                        options.senders() == 1 ? "" : "s",
                        describeMachine(),
                        options.rounds(),
                        options.time().toMillis() / 1000.0));
        out.print(withServerNames("""
                | case | REFERENCE deliveries/s | SUBJECT deliveries/s | ratio \
                | REFERENCE CPU µs/delivery | SUBJECT CPU µs/delivery | ratio |
                |---|--:|--:|--:|--:|--:|--:|
                """));
    }

    /** Prints the summary after the last case. */
    void printSpread() {
        out.print(withServerNames("""

                How reliable this is: the range of the ratios, and the number of busy cores. If the load generator, \
                which has one thread, uses 1 core and the server uses less, the load generator was the limit. If both \
                together use far less than the machine's cores while saturating, other programs were running.

                | case | deliveries, range of ratios | CPU, range of ratios | cores of REFERENCE | cores of its load \
                | cores of SUBJECT | cores of its load |
                |---|--:|--:|--:|--:|--:|--:|
                """));
        out.print(spreadRows);
    }

    private String withServerNames(String text) {
        return text.replace("REFERENCE", reference).replace("SUBJECT", subject);
    }

    /** Describes the machine: cores, JDK and operating system. */
    public static String describeMachine() {
        return "%d cores%s; JDK %s; %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        Runtime.version(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"));
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> " of " + line.substring(line.indexOf(':') + 1).strip())
                    .orElse("");
        } catch (IOException _) {
            return "";
        }
    }
}

package dev.gavel.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A {@link FanOut} run's figures as Markdown: the table, and beneath it what tells how far to trust it. */
public final class FanOutReport {
    private final FanOutOptions options;
    private final PrintStream out;
    private final String reference;
    private final String subject;
    private final StringBuilder trust = new StringBuilder();

    FanOutReport(FanOutOptions options, PrintStream out, String reference, String subject) {
        this.options = options;
        this.out = out;
        this.reference = reference;
        this.subject = subject;
        begin();
    }

    /** Prints a case's row as soon as it is known: a run takes minutes. */
    void add(int receivers, Pace pace, Comparison comparison) {
        String what = "%d receivers, %s".formatted(receivers, pace);
        out.print(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | **%.2f** | %.3f | %.3f | **%.2f** |\n",
                what,
                comparison.ofReference(Round::perSecond),
                comparison.ofSubject(Round::perSecond),
                comparison.ratio(Round::perSecond),
                comparison.ofReference(Round::cpuMicros),
                comparison.ofSubject(Round::cpuMicros),
                comparison.ratio(Round::cpuMicros)));
        trust.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | %.2f | %.2f | %.2f |\n",
                what,
                spread(comparison, Round::perSecond),
                spread(comparison, Round::cpuMicros),
                comparison.ofReference(Round::serverCores),
                comparison.ofReference(Round::loadCores),
                comparison.ofSubject(Round::serverCores),
                comparison.ofSubject(Round::loadCores)));
    }

    private static String spread(Comparison comparison, ToDoubleFunction<Round> measure) {
        List<Double> ratios = comparison.ratios(measure);
        return String.format(Locale.ROOT, "%.2f to %.2f", Collections.min(ratios), Collections.max(ratios));
    }

    private void begin() {
        out.print("""
                Fan-out of %d-byte envelopes from %d sender%s; every delivery counted, in order.
                %s.
                %d rounds of %s s each, taking turns; a ratio is the median over neighbouring rounds.

                """.formatted(
                        Envelopes.LENGTH,
                        options.senders(),
                        options.senders() == 1 ? "" : "s",
                        machine(),
                        options.rounds(),
                        options.time().toMillis() / 1000.0));
        out.print(named("""
                | what | REFERENCE deliveries/s | SUBJECT deliveries/s | ratio \
                | REFERENCE CPU µs/delivery | SUBJECT CPU µs/delivery | ratio |
                |---|--:|--:|--:|--:|--:|--:|
                """));
    }

    /** Prints what there is to say after the last case. */
    void end() {
        out.print(named("""

                How far to trust it: the ratios' spread, and the cores each side kept busy. Where the load's one \
                thread is at 1 and the server is not, the load was the limit; where the two together are well below \
                the machine's cores though saturating, something else was running.

                | what | deliveries, ratios | CPU, ratios | REFERENCE cores | its load | SUBJECT cores | its load |
                |---|--:|--:|--:|--:|--:|--:|
                """));
        out.print(trust);
    }

    private String named(String text) {
        return text.replace("REFERENCE", reference).replace("SUBJECT", subject);
    }

    /** What it runs on. */
    public static String machine() {
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

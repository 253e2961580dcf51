package dev.gavel.bench.suite;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import dev.gavel.bench.stats.DiskSyncRateMeter;
import dev.gavel.bench.stats.RoundComparison;
import dev.gavel.bench.stats.TimeSamples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Suite part that measures how many proposal events each disk sync makes durable, and how fast proposals reach the
 * reviewer. Used by one thread.
 */
final class ProposalsPart implements SuitePart {
    private static final int IN_FLIGHT = 512;
    private static final int ROUNDS = 5;
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration SYNCING = Duration.ofMillis(500);
    private static final double MILLIS = 1e6;

    @Override
    public String name() {
        return "proposals";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(3);
    }

    /** The ledger's counters, as the server's metrics report them. */
    private record LedgerCounters(double events, double commits) {
        private static final Pattern EVENTS = Pattern.compile("(?m)^gavel_ledger_events_total (\\S+)$");
        private static final Pattern COMMITS = Pattern.compile("(?m)^gavel_ledger_commit_seconds_count (\\S+)$");

        static LedgerCounters read(SingleGatewayProcess singleGatewayProcess) throws IOException, InterruptedException {
            String page = singleGatewayProcess.httpGet("reviewer", "/metrics").body();
            return new LedgerCounters(number(EVENTS, page), number(COMMITS, page));
        }

        private static double number(Pattern line, String page) {
            Matcher matcher = line.matcher(page);
            if (!matcher.find()) {
                throw new RunFailedException("/metrics does not report " + line);
            }
            return Double.parseDouble(matcher.group(1));
        }
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        SingleGatewayProcess singleGatewayProcess = new SingleGatewayProcess(
                runWorkspace,
                "proposals",
                ProposalLoadGenerator.configuration(),
                runWorkspace.directory().resolve("proposals"),
                "");
        singleGatewayProcess.start();
        try (ProposalLoadGenerator load = new ProposalLoadGenerator(
                singleGatewayProcess, number -> String.format(Locale.ROOT, "p%012d", number))) {
            double answeredPerSecond = measureSaturating(runWorkspace, singleGatewayProcess, load, suiteResults);
            measureHalfLoad(runWorkspace, load, answeredPerSecond / 2, suiteResults);
        }
        singleGatewayProcess.stop();
    }

    private static double measureSaturating(
            RunWorkspace runWorkspace,
            SingleGatewayProcess singleGatewayProcess,
            ProposalLoadGenerator load,
            SuiteResults suiteResults)
            throws IOException, InterruptedException {
        load.saturate(IN_FLIGHT);
        Thread.sleep(WARM_UP);
        load.drain();
        List<Double> rates = new ArrayList<>();
        List<Double> groups = new ArrayList<>();
        List<Double> events = new ArrayList<>();
        List<Double> syncs = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            syncs.add(
                    DiskSyncRateMeter.perSecond(DiskSyncRateMeter.measure(runWorkspace.directory(), SYNCING), SYNCING));
            load.saturate(IN_FLIGHT);
            Thread.sleep(TIME.dividedBy(4));
            LedgerCounters before = LedgerCounters.read(singleGatewayProcess);
            long answeredPerSecond = load.completedCount();
            long start = System.nanoTime();
            Thread.sleep(TIME);
            LedgerCounters after = LedgerCounters.read(singleGatewayProcess);
            double seconds = (System.nanoTime() - start) / 1e9;
            rates.add((load.completedCount() - answeredPerSecond) / seconds);
            events.add((after.events() - before.events()) / seconds);
            groups.add((after.events() - before.events()) / (after.commits() - before.commits()));
            load.drain();
        }
        double rate = RoundComparison.median(events);
        double synced = RoundComparison.median(syncs);
        suiteResults.addRatio(
                "proposal events per disk sync of the ledger, with " + IN_FLIGHT + " proposals in flight",
                RoundComparison.median(groups),
                FigureTarget.atLeast(50),
                String.format(
                        Locale.ROOT,
                        "%,.0f events/s; %,.0f proposals/s from proposal to result",
                        rate,
                        RoundComparison.median(rates)));
        suiteResults.addRatio(
                "durable proposal events/s, ratio to sequential disk syncs/s",
                rate / synced,
                FigureTarget.none(),
                String.format(Locale.ROOT, "%,.0f events/s; %,.0f syncs/s", rate, synced));
        return RoundComparison.median(rates);
    }

    private static void measureHalfLoad(
            RunWorkspace runWorkspace, ProposalLoadGenerator load, double perSecond, SuiteResults suiteResults)
            throws IOException, InterruptedException {
        TimeSamples syncs = new TimeSamples();
        TimeSamples reviewerLatencies = new TimeSamples();
        for (int i = 0; i < ROUNDS; i++) {
            syncs.addAll(DiskSyncRateMeter.measure(runWorkspace.directory(), SYNCING));
            reviewerLatencies.addAll(load.proposeEvenly(perSecond, TIME));
        }
        suiteResults.addRatio(
                "time from a proposal to the reviewer at half of the maximum rate (p99), ratio to one disk sync",
                (double) reviewerLatencies.percentile(99) / syncs.median(),
                FigureTarget.atMost(3),
                String.format(
                        Locale.ROOT,
                        "%.2f ms (p50: %.2f ms); sync: %.2f ms (p99: %.2f ms); at %,.0f proposals/s",
                        reviewerLatencies.percentile(99) / MILLIS,
                        reviewerLatencies.median() / MILLIS,
                        syncs.median() / MILLIS,
                        syncs.percentile(99) / MILLIS,
                        perSecond));
    }
}

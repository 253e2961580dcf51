package dev.gavel.bench.suite;

import dev.gavel.bench.Comparison;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Samples;
import dev.gavel.bench.SyncRate;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proposals made, fulfilled and answered, each step on disk first: how many events a sync of the disk carries at full speed,
 * and how long a proposal takes to be seen at half of it. Used by one thread.
 */
final class ProposalsPart implements Part {
    private static final int UNDER_WAY = 512;
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
    public Duration limit() {
        return Duration.ofMinutes(3);
    }

    /** What the ledger has done so far, by its own account. */
    private record Written(double events, double commits) {
        private static final Pattern EVENTS = Pattern.compile("(?m)^gavel_ledger_events_total (\\S+)$");
        private static final Pattern COMMITS = Pattern.compile("(?m)^gavel_ledger_commit_seconds_count (\\S+)$");

        static Written by(Gavel gavel) throws IOException, InterruptedException {
            String page = gavel.get("reviewer", "/metrics").body();
            return new Written(number(EVENTS, page), number(COMMITS, page));
        }

        private static double number(Pattern line, String page) {
            Matcher matcher = line.matcher(page);
            if (!matcher.find()) {
                throw new LoadFailure("/metrics does not say " + line);
            }
            return Double.parseDouble(matcher.group(1));
        }
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        Gavel gavel = new Gavel(
                workbench,
                "proposals",
                ProposalLoad.configuration(),
                workbench.directory().resolve("proposals"),
                "");
        gavel.start();
        try (ProposalLoad load = new ProposalLoad(gavel, number -> String.format(Locale.ROOT, "p%012d", number))) {
            double finished = saturating(workbench, gavel, load, sheet);
            half(workbench, load, finished / 2, sheet);
        }
        gavel.stop();
    }

    private static double saturating(Workbench workbench, Gavel gavel, ProposalLoad load, Sheet sheet)
            throws IOException, InterruptedException {
        load.saturate(UNDER_WAY);
        Thread.sleep(WARM_UP);
        load.settle();
        List<Double> rates = new ArrayList<>();
        List<Double> groups = new ArrayList<>();
        List<Double> events = new ArrayList<>();
        List<Double> syncs = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            syncs.add(SyncRate.perSecond(SyncRate.measure(workbench.directory(), SYNCING), SYNCING));
            load.saturate(UNDER_WAY);
            Thread.sleep(TIME.dividedBy(4));
            Written before = Written.by(gavel);
            long finished = load.finished();
            long start = System.nanoTime();
            Thread.sleep(TIME);
            Written after = Written.by(gavel);
            double seconds = (System.nanoTime() - start) / 1e9;
            rates.add((load.finished() - finished) / seconds);
            events.add((after.events() - before.events()) / seconds);
            groups.add((after.events() - before.events()) / (after.commits() - before.commits()));
            load.settle();
        }
        double rate = Comparison.median(events);
        double synced = Comparison.median(syncs);
        sheet.ratio(
                "lifecycle events for a sync of the ledger, " + UNDER_WAY + " proposals under way",
                Comparison.median(groups),
                Target.atLeast(50),
                String.format(
                        Locale.ROOT,
                        "%,.0f events/s, which are %,.0f proposals/s from making to answer",
                        rate,
                        Comparison.median(rates)));
        sheet.ratio(
                "durable lifecycle events a second to the disk's syncs a second, one after the other",
                rate / synced,
                Target.none(),
                String.format(Locale.ROOT, "%,.0f to %,.0f", rate, synced));
        return Comparison.median(rates);
    }

    private static void half(Workbench workbench, ProposalLoad load, double perSecond, Sheet sheet)
            throws IOException, InterruptedException {
        Samples syncs = new Samples();
        Samples seen = new Samples();
        for (int i = 0; i < ROUNDS; i++) {
            syncs.addAll(SyncRate.measure(workbench.directory(), SYNCING));
            seen.addAll(load.even(perSecond, TIME));
        }
        sheet.ratio(
                "p99 of propose-to-seen at half of that, to one sync",
                (double) seen.percentile(99) / syncs.median(),
                Target.atMost(3),
                String.format(
                        Locale.ROOT,
                        "%.2f ms (p50 %.2f) to %.2f ms, of which the p99 is %.2f; at %,.0f proposals/s",
                        seen.percentile(99) / MILLIS,
                        seen.median() / MILLIS,
                        syncs.median() / MILLIS,
                        syncs.percentile(99) / MILLIS,
                        perSecond));
    }
}

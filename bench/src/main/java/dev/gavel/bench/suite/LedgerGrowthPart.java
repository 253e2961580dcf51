package dev.gavel.bench.suite;

import dev.gavel.bench.Comparison;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** What a proposal costs with millions of events in the ledger, beside one with few, in turns. Used by one thread. */
final class LedgerGrowthPart implements Part {
    private static final int FEW = 9_999;
    private static final int MANY = 4_999_998;
    private static final long BYTES = 6_000_000_000L;
    private static final int UNDER_WAY = 256;
    private static final int ROUNDS = 4;
    private static final Duration TIME = Duration.ofMillis(1_200);
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final String TARGETED = "ids that begin with the time";

    @Override
    public String name() {
        return "ledger growth";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    /** A server with so many events, and who keeps it busy. */
    private record Side(Gavel gavel, ProposalLoad load) {
        /** Proposals a second from making to answer. */
        double round(Duration time) throws InterruptedException {
            load.saturate(UNDER_WAY);
            Thread.sleep(time.dividedBy(5));
            long before = load.finished();
            long start = System.nanoTime();
            Thread.sleep(time);
            double rate = (load.finished() - before) * 1e9 / (System.nanoTime() - start);
            load.settle();
            return rate;
        }
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        if (Files.getFileStore(workbench.directory()).getUsableSpace() < BYTES) {
            throw new LoadFailure("a ledger of five million events needs six gigabytes of disk for a few minutes");
        }
        Gavel few = serve(workbench, "few", FEW);
        Gavel many = serve(workbench, "many", MANY);
        compare(few, many, WARM_UP, TARGETED, number -> String.format(Locale.ROOT, "z%015x", number), sheet);
        SplittableRandom random = new SplittableRandom();
        compare(
                few,
                many,
                AGAIN,
                "random ids",
                number -> String.format(Locale.ROOT, "%016x", random.nextLong(Long.MAX_VALUE)),
                sheet);
        few.stop();
        many.stop();
    }

    private static Gavel serve(Workbench workbench, String name, int events) throws IOException, InterruptedException {
        Path data = workbench.directory().resolve(name);
        FilledLedger.make(data, ProposalLoad.TOPIC, events);
        Gavel gavel = new Gavel(workbench, name, ProposalLoad.configuration(), data, "");
        gavel.start();
        return gavel;
    }

    private static void compare(
            Gavel few, Gavel many, Duration warmUp, String ids, LongFunction<String> id, Sheet sheet)
            throws IOException, InterruptedException {
        try (ProposalLoad toFew = new ProposalLoad(few, id);
                ProposalLoad toMany = new ProposalLoad(many, id)) {
            Side small = new Side(few, toFew);
            Side large = new Side(many, toMany);
            var _ = small.round(warmUp);
            var _ = large.round(warmUp);
            List<Double> ratios = new ArrayList<>();
            List<Double> rates = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                double before = small.round(TIME);
                double rate = large.round(TIME);
                ratios.add(before / rate);
                ratios.add(small.round(TIME) / rate);
                rates.add(rate);
            }
            sheet.ratio(
                    "cost of a proposal at %,d events to that at %,d, %s".formatted(MANY, FEW, ids),
                    Comparison.median(ratios),
                    ids.equals(TARGETED) ? Target.atMost(1.3) : Target.none(),
                    String.format(Locale.ROOT, "%,.0f proposals/s from making to answer", Comparison.median(rates)));
        }
    }
}

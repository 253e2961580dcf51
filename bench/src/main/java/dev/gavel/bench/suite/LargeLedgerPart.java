package dev.gavel.bench.suite;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import dev.gavel.bench.stats.RoundComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Suite part that compares the cost of a proposal in a ledger of five million events with that in a small one. Used by
 * one thread.
 */
final class LargeLedgerPart implements SuitePart {
    private static final int FEW = 9_999;
    private static final int MANY = 4_999_998;
    private static final long BYTES = 6_000_000_000L;
    private static final int UNDER_WAY = 256;
    private static final int ROUNDS = 4;
    private static final Duration TIME = Duration.ofMillis(1_200);
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final String TARGETED = "ids begin with a timestamp";

    @Override
    public String name() {
        return "ledger growth";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(5);
    }

    /** A server with a given number of events, and the load on it. */
    private record ServerLoad(SingleGatewayProcess singleGatewayProcess, ProposalLoadGenerator load) {
        /** Completed proposals per second, from proposal to answer. */
        double measureRound(Duration time) throws InterruptedException {
            load.saturate(UNDER_WAY);
            Thread.sleep(time.dividedBy(5));
            long before = load.completedCount();
            long start = System.nanoTime();
            Thread.sleep(time);
            double rate = (load.completedCount() - before) * 1e9 / (System.nanoTime() - start);
            load.drain();
            return rate;
        }
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        if (Files.getFileStore(runWorkspace.directory()).getUsableSpace() < BYTES) {
            throw new RunFailedException(
                    "not enough disk space: a ledger of five million events needs 6 GB for a few minutes");
        }
        SingleGatewayProcess few = serve(runWorkspace, "few", FEW);
        SingleGatewayProcess many = serve(runWorkspace, "many", MANY);
        compare(few, many, WARM_UP, TARGETED, number -> String.format(Locale.ROOT, "z%015x", number), suiteResults);
        SplittableRandom random = new SplittableRandom();
        compare(
                few,
                many,
                AGAIN,
                "ids are random",
                number -> String.format(Locale.ROOT, "%016x", random.nextLong(Long.MAX_VALUE)),
                suiteResults);
        few.stop();
        many.stop();
    }

    private static SingleGatewayProcess serve(RunWorkspace runWorkspace, String name, int events)
            throws IOException, InterruptedException {
        Path data = runWorkspace.directory().resolve(name);
        LedgerFileGenerator.generate(data, ProposalLoadGenerator.TOPIC, events);
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, name, ProposalLoadGenerator.configuration(), data, "");
        singleGatewayProcess.start();
        return singleGatewayProcess;
    }

    private static void compare(
            SingleGatewayProcess few,
            SingleGatewayProcess many,
            Duration warmUp,
            String ids,
            LongFunction<String> id,
            SuiteResults suiteResults)
            throws IOException, InterruptedException {
        try (ProposalLoadGenerator toFew = new ProposalLoadGenerator(few, id);
                ProposalLoadGenerator toMany = new ProposalLoadGenerator(many, id)) {
            ServerLoad small = new ServerLoad(few, toFew);
            ServerLoad large = new ServerLoad(many, toMany);
            var _ = small.measureRound(warmUp);
            var _ = large.measureRound(warmUp);
            List<Double> ratios = new ArrayList<>();
            List<Double> rates = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                double before = small.measureRound(TIME);
                double rate = large.measureRound(TIME);
                ratios.add(before / rate);
                ratios.add(small.measureRound(TIME) / rate);
                rates.add(rate);
            }
            suiteResults.addRatio(
                    "cost per proposal in a ledger with %,d events, ratio to %,d events; %s".formatted(MANY, FEW, ids),
                    RoundComparison.median(ratios),
                    ids.equals(TARGETED) ? FigureTarget.atMost(1.3) : FigureTarget.none(),
                    String.format(
                            Locale.ROOT, "%,.0f proposals/s from proposal to result", RoundComparison.median(rates)));
        }
    }
}

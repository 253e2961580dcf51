package dev.gavel.bench.growth;

import dev.gavel.bench.FanOut;
import dev.gavel.bench.FanOutReport;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Measures how Gavel grows by processes; see {@code bench/growth --help}. */
public final class Growth {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private Growth() {}

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(GrowthOptions.USAGE);
            return;
        }
        int code;
        try {
            GrowthOptions options = GrowthOptions.parse(args);
            endAfter(LIMIT);
            run(options, System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("growth: " + e.getMessage() + "; --help says more");
            code = 2;
        } catch (LoadFailure | IOException e) {
            System.err.println("growth: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** A run that hangs is of no use to anybody, least of all in a script. */
    private static void endAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("growth: not done after " + limit.toSeconds() + " s, so something hangs");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void run(GrowthOptions options, PrintStream out) throws IOException, InterruptedException {
        out.println(FanOutReport.machine() + ".");
        try (Workbench workbench = Workbench.open()) {
            if (options.wants("deliveries")) {
                ServerProcess relay = workbench.start("relay", FanOut.relayCommand());
                new GrowingFanOut(options, workbench, relay, relay.address(START), out).run();
            }
            if (options.wants("presence") && options.most() > 1) {
                new PresenceCost(options, workbench, out).run();
            }
            if (options.wants("commits")) {
                new CommitRate(options, workbench, out).run();
            }
        }
    }
}

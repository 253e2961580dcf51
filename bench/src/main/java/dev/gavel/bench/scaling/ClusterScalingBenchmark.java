package dev.gavel.bench.scaling;

import dev.gavel.bench.fanout.FanOutBenchmark;
import dev.gavel.bench.fanout.FanOutReport;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * Measures how deliveries, presence and commits scale with the number of gateway processes; see {@code bench/growth
 * --help}.
 */
public final class ClusterScalingBenchmark {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private ClusterScalingBenchmark() {}

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(ClusterScalingOptions.USAGE);
            return;
        }
        int code;
        try {
            ClusterScalingOptions options = ClusterScalingOptions.parse(args);
            exitAfter(LIMIT);
            run(options, System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("growth: " + e.getMessage() + ". Run bench/growth --help for help.");
            code = 2;
        } catch (RunFailedException | IOException e) {
            System.err.println("growth: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private static void exitAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("growth: not finished after " + limit.toSeconds() + " s; giving up");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void run(ClusterScalingOptions options, PrintStream out) throws IOException, InterruptedException {
        out.println(FanOutReport.describeMachine() + ".");
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            if (options.includes("deliveries")) {
                ServerProcess relay = runWorkspace.start("relay", FanOutBenchmark.relayCommand());
                new ClusterFanOutBenchmark(options, runWorkspace, relay, relay.awaitAddress(START), out).run();
            }
            if (options.includes("presence") && options.maxGateways() > 1) {
                new PresenceCostBenchmark(options, runWorkspace, out).run();
            }
            if (options.includes("commits")) {
                new CommitRateBenchmark(options, runWorkspace, out).run();
            }
        }
    }
}

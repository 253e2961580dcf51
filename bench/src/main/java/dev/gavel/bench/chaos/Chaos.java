package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs chaos by one seed after the other; see {@code bench/chaos --help}. */
public final class Chaos {
    /** For starting, settling and looking through it all, besides the time of the chaos itself. */
    private static final Duration SLACK = Duration.ofMinutes(8);

    private Chaos() {}

    public static void main(String[] args) {
        int code;
        try {
            if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
                System.out.print(ChaosOptions.USAGE);
                return;
            }
            ChaosOptions options = ChaosOptions.parse(args);
            code = options.planOnly() ? plans(options, System.out) : run(options, System.out);
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage() + "; --help says more");
            code = 2;
        } catch (IOException e) {
            System.err.println("chaos: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    private static int plans(ChaosOptions options, PrintStream out) {
        for (long seed : options.seeds()) {
            out.println("seed " + seed);
            Plan.of(seed, Math.toIntExact(options.time().toMillis()), options.gateways(), options.gateways() > 1)
                    .acts()
                    .forEach(act -> out.println("  " + act));
        }
        return 0;
    }

    private static int run(ChaosOptions options, PrintStream out) throws IOException, InterruptedException {
        List<Long> failed = new ArrayList<>();
        for (long seed : options.seeds()) {
            long begin = System.nanoTime();
            Path directory = Files.createTempDirectory("gavel-chaos-" + seed + "-");
            CountDownLatch done = endAfter(options.time().plus(SLACK), seed);
            ChaosRun.Result result = one(options, seed, directory);
            done.countDown();
            long seconds = (System.nanoTime() - begin) / 1_000_000_000;
            out.println("seed " + seed + ": " + (result.violations().isEmpty() ? "holds" : "DOES NOT HOLD") + "; "
                    + result.figures() + ", " + seconds + " s in all");
            if (result.violations().isEmpty()) {
                delete(directory);
            } else {
                failed.add(seed);
                result.violations().stream().limit(20).forEach(each -> out.println("  " + each));
                out.println("  " + result.violations().size() + " in all; logs and journals: " + directory);
            }
        }
        out.println(
                failed.isEmpty()
                        ? "all " + options.seeds().size() + " hold"
                        : failed.size() + " of " + options.seeds().size() + " do not hold: seeds " + failed);
        return failed.isEmpty() ? 0 : 1;
    }

    private static ChaosRun.Result one(ChaosOptions options, long seed, Path directory)
            throws IOException, InterruptedException {
        try (Fleet fleet =
                Fleet.start(directory, options.serverCommand(), options.gateways(), ChaosRun.configuration())) {
            return ChaosRun.run(fleet, directory, seed, options.time());
        } catch (LoadFailure e) {
            return new ChaosRun.Result("did not start", List.of(String.valueOf(e.getMessage())));
        }
    }

    /** A run that hangs is of no use to anybody, least of all in a script. */
    private static CountDownLatch endAfter(Duration limit, long seed) {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    System.err.println("chaos: seed " + seed + " is not done after " + limit.toSeconds()
                            + " s, so something hangs");
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }

    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}

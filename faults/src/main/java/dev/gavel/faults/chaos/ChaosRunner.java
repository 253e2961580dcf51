package dev.gavel.faults.chaos;

import dev.gavel.bench.server.GatewayCluster;
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
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the chaos test for each seed in turn and reports violated guarantees; see {@code faults/chaos --help}. Used by
 * one thread.
 */
public final class ChaosRunner {
    /** The time for starting, settling and checking, besides the chaos itself. */
    private static final Duration SLACK = Duration.ofMinutes(8);

    /** How long an interrupted run may take to end. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);

    private static final int MOST_SHOWN = 20;
    private static final int MOST_DELETIONS = 50;
    private static final long DELETION_NANOS = Duration.ofMillis(100).toNanos();

    private final ChaosOptions options;
    private final PrintStream out;
    private final Thread runner = Thread.currentThread();
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean interrupted;
    private volatile boolean keepFiles;

    ChaosRunner(ChaosOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] args) {
        int code;
        try {
            if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
                System.out.print(ChaosOptions.USAGE);
                return;
            }
            ChaosOptions options = ChaosOptions.parse(args);
            code = options.planOnly() ? printPlans(options, System.out) : new ChaosRunner(options, System.out).run();
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage() + ". Run faults/chaos --help for help.");
            code = 2;
        } catch (IOException e) {
            System.err.println("chaos: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    private static int printPlans(ChaosOptions options, PrintStream out) {
        for (long seed : options.seeds()) {
            out.println("seed " + seed);
            ChaosPlan.of(seed, Math.toIntExact(options.time().toMillis()), options.gateways(), options.gateways() > 1)
                    .faults()
                    .forEach(plannedFault -> out.println("  " + plannedFault));
        }
        return 0;
    }

    /**
     * Runs all seeds and returns the exit code. If the process is ended during a run, nothing of the run is left
     * behind.
     */
    int run() throws IOException, InterruptedException {
        Thread hook = new Thread(this::interruptRun, "end the run");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runAll();
        } finally {
            finished.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException _) {
                // The process is already ending, and the countdown above has released the hook.
            }
        }
    }

    private void interruptRun() {
        interrupted = true;
        runner.interrupt();
        try {
            if (!finished.await(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println(
                        "chaos: the run did not end in time; its files might remain in the temporary directory");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private int runAll() throws IOException, InterruptedException {
        List<Long> failed = new ArrayList<>();
        for (long seed : options.seeds()) {
            if (!runSeed(seed)) {
                failed.add(seed);
            }
        }
        out.println(
                failed.isEmpty()
                        ? "all seeds passed: " + options.seeds().size()
                        : failed.size() + " of " + options.seeds().size() + " seeds failed: " + failed);
        return failed.isEmpty() ? 0 : 1;
    }

    private boolean runSeed(long seed) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Path directory = Files.createTempDirectory("gavel-chaos-" + seed + "-");
        keepFiles = false;
        CountDownLatch done = exitAfter(options.time().plus(SLACK), seed, directory);
        try {
            out.println("seed " + seed + ": started in " + directory);
            ChaosRun.Result result = runOnCluster(seed, directory);
            if (interrupted) {
                // The failure is a consequence of the interruption, which stopped everything.
                throw new InterruptedException();
            }
            long seconds = (System.nanoTime() - begin) / 1_000_000_000;
            keepFiles = !result.violations().isEmpty();
            out.println("seed " + seed + ": " + (keepFiles ? "FAILED" : "passed") + "; " + result.figures() + ", "
                    + seconds + " s in total");
            if (keepFiles) {
                result.violations().stream().limit(MOST_SHOWN).forEach(each -> out.println("  " + each));
                out.println("  " + "violations: " + result.violations().size() + "; logs and journals: " + directory);
            }
            return !keepFiles;
        } finally {
            done.countDown();
            if (!keepFiles) {
                delete(directory);
            }
        }
    }

    /** The result of one run. A run that fails is a violation as well, and the other seeds still run. */
    private ChaosRun.Result runOnCluster(long seed, Path directory) throws InterruptedException {
        try (GatewayCluster gatewayCluster = GatewayCluster.start(
                directory, options.serverCommand(), options.gateways(), ChaosRun.configuration())) {
            return ChaosRun.run(gatewayCluster, directory, seed, options.time());
        } catch (IOException | RuntimeException e) {
            return new ChaosRun.Result("the run was aborted", List.of(e.toString()));
        }
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private CountDownLatch exitAfter(Duration limit, long seed, Path directory) {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    keepFiles = true;
                    System.err.println("chaos: seed " + seed + " is not finished after " + limit.toSeconds()
                            + " s; giving up; logs and journals: " + directory);
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }

    /** Deletes a directory to which a process that has just ended may still be writing. */
    private static void delete(Path directory) throws IOException {
        for (int i = 1; Files.exists(directory); i++) {
            try {
                deleteOnce(directory);
            } catch (IOException e) {
                if (i == MOST_DELETIONS) {
                    throw e;
                }
                LockSupport.parkNanos(DELETION_NANOS);
            }
        }
    }

    private static void deleteOnce(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}

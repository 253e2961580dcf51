package dev.gavel.faults.cluster;

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
 * Runs a {@link ClusterTest} for each seed in turn, each on a new cluster, and reports violated guarantees. Used by one
 * thread.
 */
public final class ClusterTestRunner {
    /** The time for starting, settling and checking, besides the faults themselves. */
    private static final Duration SLACK = Duration.ofMinutes(8);

    /** How long an interrupted run may take to end. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);

    private static final int MOST_SHOWN = 20;
    private static final int MOST_DELETIONS = 50;
    private static final long DELETION_NANOS = Duration.ofMillis(100).toNanos();

    private final ClusterTest test;
    private final ClusterTestOptions options;
    private final PrintStream out;
    private final Thread runner = Thread.currentThread();
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean interrupted;
    private volatile boolean keepFiles;

    private ClusterTestRunner(ClusterTest test, ClusterTestOptions options, PrintStream out) {
        this.test = test;
        this.options = options;
        this.out = out;
    }

    /** Runs a test as a program with this command line, and returns the exit code. */
    public static int run(ClusterTest test, String... args) {
        try {
            if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
                System.out.print(ClusterTestOptions.USAGE.formatted(test.name()));
                return 0;
            }
            ClusterTestOptions options = ClusterTestOptions.parse(args);
            return options.planOnly()
                    ? printPlans(test, options, System.out)
                    : new ClusterTestRunner(test, options, System.out).run();
        } catch (IllegalArgumentException e) {
            System.err.println(
                    test.name() + ": " + e.getMessage() + ". Run faults/" + test.name() + " --help for help.");
            return 2;
        } catch (IOException e) {
            System.err.println(test.name() + ": " + e.getMessage());
            return 1;
        } catch (InterruptedException _) {
            return 130;
        }
    }

    private static int printPlans(ClusterTest test, ClusterTestOptions options, PrintStream out) {
        for (long seed : options.seeds()) {
            out.println("seed " + seed);
            test.describePlan(seed, options.time(), options.gateways()).forEach(each -> out.println("  " + each));
        }
        return 0;
    }

    /**
     * Runs all seeds and returns the exit code. If the process is ended during a run, nothing of the run is left
     * behind.
     */
    private int run() throws IOException, InterruptedException {
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
                System.err.println(test.name()
                        + ": the run did not end in time; its files might remain in the temporary directory");
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
        Path directory = Files.createTempDirectory("gavel-" + test.name() + "-" + seed + "-");
        keepFiles = false;
        CountDownLatch done = exitAfter(options.time().plus(SLACK), seed, directory);
        try {
            out.println("seed " + seed + ": started in " + directory);
            ClusterTestResult result = runOnCluster(seed, directory);
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
    private ClusterTestResult runOnCluster(long seed, Path directory) throws InterruptedException {
        try (GatewayCluster gatewayCluster =
                GatewayCluster.start(directory, options.serverCommand(), options.gateways(), test.configuration())) {
            return test.run(gatewayCluster, directory, seed, options.time());
        } catch (IOException | RuntimeException e) {
            return new ClusterTestResult("the run was aborted", List.of(e.toString()));
        }
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private CountDownLatch exitAfter(Duration limit, long seed, Path directory) {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    keepFiles = true;
                    System.err.println(test.name() + ": seed " + seed + " is not finished after " + limit.toSeconds()
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

package dev.gavel.bench.suite;

import dev.gavel.bench.fanout.FanOutReport;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs all parts of the benchmark suite and writes their figures; see {@code ./gavel-bench --help}. */
public final class BenchmarkSuite {
    static final List<SuitePart> PARTS = List.of(
            new StartupPart(),
            new MemoryPart(),
            new FanOutPart(),
            new ParallelTopicsPart(),
            new SlowReadersPart(),
            new HotPathPart(),
            new TlsAndCompressionPart(),
            new ProposalsPart(),
            new LargeLedgerPart(),
            new McpPart());

    private BenchmarkSuite() {}

    public static void main(String[] args) {
        List<String> names = PARTS.stream().map(SuitePart::name).toList();
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(BenchmarkSuiteOptions.usage(names));
            return;
        }
        int code;
        try {
            BenchmarkSuiteOptions options = BenchmarkSuiteOptions.parse(names, args);
            code = run(options, Path.of("bench", "target"), System.out) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("gavel-bench: " + e.getMessage() + ". Run ./gavel-bench --help for help.");
            code = 2;
        } catch (IOException e) {
            System.err.println("gavel-bench: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /**
     * Runs the selected parts; returns whether all could be measured. A missed target is not a failure: machines are
     * noisy.
     *
     * @param below the parent of the temporary data: on a disk, as a user's data is
     */
    private static boolean run(BenchmarkSuiteOptions options, Path below, PrintStream out)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        out.println(FanOutReport.describeMachine() + "\n");
        SuiteResults suiteResults = new SuiteResults(out);
        boolean allMeasured = true;
        for (SuitePart part : PARTS) {
            if (options.parts().isEmpty() || options.parts().contains(part.name())) {
                allMeasured &= run(part, below, suiteResults);
            }
        }
        List<BenchmarkFigure> missed = suiteResults.figures().stream()
                .filter(figure -> !figure.meetsTarget())
                .toList();
        out.println("\n"
                + (allMeasured
                        ? BenchmarksDocumentWriter.summary(missed)
                        : "Some parts failed, so no results were written."));
        if (options.docs().isPresent() && allMeasured) {
            BenchmarksDocumentWriter.write(options.docs().get(), FanOutReport.describeMachine(), suiteResults);
            out.println("Wrote the figures and charts to "
                    + options.docs().get().resolve(BenchmarksDocumentWriter.DOCUMENT) + ".");
        }
        out.println("Took " + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s.");
        return allMeasured;
    }

    private static boolean run(SuitePart part, Path below, SuiteResults suiteResults) throws InterruptedException {
        suiteResults.beginPart(part.name());
        CountDownLatch done = exitAfter(part);
        try (RunWorkspace runWorkspace = RunWorkspace.open(below)) {
            part.run(runWorkspace, suiteResults);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (RunFailedException | IOException e) {
            System.err.println("gavel-bench: " + part.name() + " failed: " + e.getMessage());
        } catch (Exception e) {
            System.err.println("gavel-bench: " + part.name() + " failed: " + e);
        } finally {
            done.countDown();
        }
        return false;
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private static CountDownLatch exitAfter(SuitePart part) {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(part.timeLimit().toMillis(), TimeUnit.MILLISECONDS)) {
                    System.err.println("gavel-bench: " + part.name() + " is not finished after "
                            + part.timeLimit().toSeconds() + " s; giving up");
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }
}

package dev.gavel.bench.suite;

import dev.gavel.bench.FanOutReport;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs all parts, one after the other; see {@code ./gavel-bench --help}. */
public final class Suite {
    static final List<Part> PARTS = List.of(
            new StartPart(),
            new MemoryPart(),
            new FanOutPart(),
            new TopicsPart(),
            new SlowReadersPart(),
            new HotPart(),
            new TlsPart(),
            new ProposalsPart(),
            new LedgerGrowthPart(),
            new McpPart());

    private Suite() {}

    public static void main(String[] args) {
        List<String> names = PARTS.stream().map(Part::name).toList();
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(SuiteOptions.usage(names));
            return;
        }
        int code;
        try {
            SuiteOptions options = SuiteOptions.parse(names, args);
            code = run(options, Path.of("bench", "target"), System.out) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("gavel-bench: " + e.getMessage() + "; --help says more");
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
     * Runs the parts that are wanted; says whether all could be measured. A missed target is no failure: machines are noisy.
     *
     * @param below where data is kept meanwhile: on a disk as a user's would be
     */
    private static boolean run(SuiteOptions options, Path below, PrintStream out)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        out.println(FanOutReport.machine() + "\n");
        Sheet sheet = new Sheet(out);
        boolean whole = true;
        for (Part part : PARTS) {
            if (options.parts().isEmpty() || options.parts().contains(part.name())) {
                whole &= run(part, below, sheet);
            }
        }
        List<Figure> missed =
                sheet.figures().stream().filter(figure -> !figure.isMet()).toList();
        out.println(
                "\n" + (whole ? Report.summary(missed) : "Not everything could be measured, so nothing is written."));
        if (options.docs().isPresent() && whole) {
            Report.write(options.docs().get(), FanOutReport.machine(), sheet);
            out.println("Figures and plots are in " + options.docs().get().resolve(Report.DOCUMENT) + ".");
        }
        out.println("Took " + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s.");
        return whole;
    }

    private static boolean run(Part part, Path below, Sheet sheet) throws InterruptedException {
        sheet.part(part.name());
        CountDownLatch done = endAfter(part);
        try (Workbench workbench = Workbench.open(below)) {
            part.run(workbench, sheet);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (LoadFailure | IOException e) {
            System.err.println("gavel-bench: " + part.name() + " could not be measured: " + e.getMessage());
        } catch (Exception e) {
            System.err.println("gavel-bench: " + part.name() + " could not be measured: " + e);
        } finally {
            done.countDown();
        }
        return false;
    }

    /** A run that hangs is of no use to anybody, least of all in a script. */
    private static CountDownLatch endAfter(Part part) {
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(part.limit().toMillis(), TimeUnit.MILLISECONDS)) {
                    System.err.println("gavel-bench: " + part.name() + " is not done after "
                            + part.limit().toSeconds() + " s, so something hangs");
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }
}

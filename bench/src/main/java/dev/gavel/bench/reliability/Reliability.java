package dev.gavel.bench.reliability;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs trials, all or those that are named; see {@code bench/reliability --help}. */
public final class Reliability {
    private static final List<Trial> TRIALS = List.of(
            new Kills(),
            new IdleConnections(),
            new OpenProposals(),
            new StoppedReaders(),
            new LongAbsence(),
            new FullDisk(),
            new LockedLedger());

    private Reliability() {}

    public static void main(String[] args) {
        int code;
        try {
            if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
                System.out.println("Usage: bench/reliability [TRIAL...]\n  trials: " + names());
                return;
            }
            code = run(chosen(args), System.out) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("reliability: " + e.getMessage());
            code = 2;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    private static String names() {
        return TRIALS.stream().map(Trial::name).collect(Collectors.joining(", "));
    }

    /** The trials of these names; all of them where none is named. */
    static List<Trial> chosen(String... names) {
        List<Trial> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(TRIALS.stream()
                    .filter(trial -> trial.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no trial '" + name + "'; there are " + names())));
        }
        return chosen.isEmpty() ? TRIALS : chosen;
    }

    /** Runs trials one after the other; says whether all that was to hold held. */
    static boolean run(List<Trial> trials, PrintStream out) throws InterruptedException {
        Findings findings = new Findings(out);
        for (Trial trial : trials) {
            findings.trial(trial.name());
            CountDownLatch done = endAfter(trial);
            try (Workbench workbench = Workbench.open()) {
                trial.run(workbench, findings);
            } catch (InterruptedException e) {
                throw e;
            } catch (LoadFailure | IOException e) {
                findings.holds("could be run to its end", false, String.valueOf(e.getMessage()));
            } catch (Exception e) {
                findings.holds("could be run to its end", false, e);
            } finally {
                done.countDown();
            }
        }
        return findings.all();
    }

    /** A trial that hangs is of no use to anybody, least of all in a script. */
    private static CountDownLatch endAfter(Trial trial) {
        CountDownLatch done = new CountDownLatch(1);
        Duration limit = trial.limit();
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    System.err.println("reliability: " + trial.name() + " is not done after " + limit.toSeconds()
                            + " s, so something hangs");
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }
}

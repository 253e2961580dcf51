package dev.gavel.faults.reliability;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs all reliability trials or those named on the command line; see {@code faults/reliability --help}. */
public final class ReliabilityRunner {
    private static final List<ReliabilityTrial> TRIALS = List.of(
            new ServerKillTrial(),
            new IdleConnectionsTrial(),
            new ManyOpenProposalsTrial(),
            new StoppedReadersTrial(),
            new LongAbsenceTrial(),
            new FullDiskTrial(),
            new LockedLedgerTrial());

    private ReliabilityRunner() {}

    public static void main(String[] args) {
        int code;
        try {
            if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
                System.out.println("Usage: faults/reliability [TRIAL...]\n  Trials (default: all): " + names());
                return;
            }
            code = run(selectTrials(args), System.out) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("reliability: " + e.getMessage());
            code = 2;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    private static String names() {
        return TRIALS.stream().map(ReliabilityTrial::name).collect(Collectors.joining(", "));
    }

    /** The trials with these names; all of them if none is named. */
    static List<ReliabilityTrial> selectTrials(String... names) {
        List<ReliabilityTrial> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(TRIALS.stream()
                    .filter(trial -> trial.name().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("unknown trial '" + name + "'; the trials are " + names())));
        }
        return chosen.isEmpty() ? TRIALS : chosen;
    }

    /** Runs trials one after the other; returns whether every check passed. */
    static boolean run(List<ReliabilityTrial> trials, PrintStream out) throws InterruptedException {
        TrialReport trialReport = new TrialReport(out);
        for (ReliabilityTrial trial : trials) {
            trialReport.beginTrial(trial.name());
            CountDownLatch done = exitAfter(trial);
            try (RunWorkspace runWorkspace = RunWorkspace.open()) {
                trial.run(runWorkspace, trialReport);
            } catch (InterruptedException e) {
                throw e;
            } catch (RunFailedException | IOException e) {
                trialReport.check("trial completed", false, String.valueOf(e.getMessage()));
            } catch (Exception e) {
                trialReport.check("trial completed", false, e);
            } finally {
                done.countDown();
            }
        }
        return trialReport.allHeld();
    }

    /** Ends the process after a time limit, because a hanging trial is useless, especially in a script. */
    private static CountDownLatch exitAfter(ReliabilityTrial trial) {
        CountDownLatch done = new CountDownLatch(1);
        Duration limit = trial.timeLimit();
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    System.err.println("reliability: " + trial.name() + " is not finished after " + limit.toSeconds()
                            + " s; giving up");
                    System.exit(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return done;
    }
}

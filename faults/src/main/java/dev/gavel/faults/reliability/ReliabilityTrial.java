package dev.gavel.faults.reliability;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/** One reliability trial, with a name, a time limit and the checks it reports. */
interface ReliabilityTrial {
    /** The name on the command line. */
    String name();

    /** A trial that takes longer hangs. */
    Duration timeLimit();

    /** Runs the trial and reports its checks; throws if it could not run. */
    void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception;
}

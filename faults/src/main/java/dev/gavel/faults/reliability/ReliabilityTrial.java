package dev.gavel.faults.reliability;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/**
 * A reliability test that puts a running server under one fault or load, such as a full disk, and reports which checks
 * pass.
 */
interface ReliabilityTrial {
    /** The name on the command line. */
    String name();

    /** A trial that takes longer hangs. */
    Duration timeLimit();

    /** Runs the trial and reports its checks; throws if it could not run. */
    void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception;
}

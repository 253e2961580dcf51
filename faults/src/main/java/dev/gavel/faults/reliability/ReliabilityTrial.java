package dev.gavel.faults.reliability;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/** One reliability trial, with a name, a time limit and the checks it reports. */
interface ReliabilityTrial {
    /** What it is called on the command line. */
    String name();

    /** It has hung if it is not done by then. */
    Duration timeLimit();

    /** Runs it, and takes down what came out; throws where it could not be run. */
    void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception;
}

package dev.gavel.bench.suite;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/** One part of the benchmark suite, with a name, a time limit and figures it measures. */
interface SuitePart {
    /** The name on the command line. */
    String name();

    /** A part that takes longer hangs. */
    Duration timeLimit();

    /** Measures and adds the results; throws if it could not measure. */
    void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws Exception;
}

package dev.gavel.bench.suite;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/** One part of the benchmark suite, with a name, a time limit and figures it measures. */
interface SuitePart {
    /** What it is called on the command line. */
    String name();

    /** It hangs if it is not done by then. */
    Duration timeLimit();

    /** Measures, and puts what came out on the sheet; throws where it could not be measured. */
    void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws Exception;
}

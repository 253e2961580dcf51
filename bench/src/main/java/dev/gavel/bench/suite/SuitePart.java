package dev.gavel.bench.suite;

import dev.gavel.bench.server.RunWorkspace;
import java.time.Duration;

/** One part of the benchmark suite, which can be run by name and must end within its time limit. */
interface SuitePart {
    /** The name on the command line. */
    String name();

    /** A part that takes longer hangs. */
    Duration timeLimit();

    /** Measures and adds the results; throws if it could not measure. */
    void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws Exception;
}

package dev.gavel.bench.reliability;

import dev.gavel.bench.Workbench;
import java.time.Duration;

/** One way to put Gavel under stress. */
interface Trial {
    /** What it is called on the command line. */
    String name();

    /** It has hung if it is not done by then. */
    Duration limit();

    /** Runs it, and takes down what came out; throws where it could not be run. */
    void run(Workbench workbench, Findings findings) throws Exception;
}

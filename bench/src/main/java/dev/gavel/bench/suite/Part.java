package dev.gavel.bench.suite;

import dev.gavel.bench.Workbench;
import java.time.Duration;

/** Something that is measured, in a minute or so. */
interface Part {
    /** What it is called on the command line. */
    String name();

    /** It hangs if it is not done by then. */
    Duration limit();

    /** Measures, and puts what came out on the sheet; throws where it could not be measured. */
    void run(Workbench workbench, Sheet sheet) throws Exception;
}

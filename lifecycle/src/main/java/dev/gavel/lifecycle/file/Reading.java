package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.yaml.Problem;
import java.util.List;

/** What came of reading a process file. */
public sealed interface Reading {
    /** A sound process. */
    record Sound(Process process) implements Reading {}

    /** Everything that is wrong, in the order of the file. */
    record Unsound(List<Problem> problems) implements Reading {
        public Unsound {
            problems = List.copyOf(problems);
        }
    }
}

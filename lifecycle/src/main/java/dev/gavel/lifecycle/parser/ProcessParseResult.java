package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.yaml.FileProblem;
import java.util.List;

/** The result of parsing a process file: a valid process definition or the problems found. */
public sealed interface ProcessParseResult {
    /** A sound process. */
    record Valid(ProcessDefinition processDefinition) implements ProcessParseResult {}

    /** Everything that is wrong, in the order of the file. */
    record Invalid(List<FileProblem> problems) implements ProcessParseResult {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}

package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.yaml.FileProblem;
import java.util.List;

/** The result of parsing a process file: a valid process definition or the problems found. */
public sealed interface ProcessParseResult {
    /** A valid process definition. */
    record Valid(ProcessDefinition processDefinition) implements ProcessParseResult {}

    /** All problems found, in the order of the file. */
    record Invalid(List<FileProblem> problems) implements ProcessParseResult {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}

package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.process.DocumentTemplateFile;
import dev.gavel.yaml.WordSuggester;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The option {@code --process}, which chooses the SEP process of a command: a built-in one or a process file. */
public final class SepProcessOption {
    @Option(
            names = "--process",
            paramLabel = "NAME|FILE",
            description = "Process: the name of a built-in process, or a file. Default: "
                    + BuiltInProcesses.DEFAULT_NAME + ".")
    private String process = BuiltInProcesses.DEFAULT_NAME;

    /** The process that the option names. */
    public ProcessDefinition process() {
        return BuiltInProcesses.find(process).orElseGet(this::read);
    }

    private ProcessDefinition read() {
        Path file = path().filter(Files::exists).orElseThrow(this::unknownProcess);
        try {
            return switch (ProcessFileParser.parse(process, Files.readString(file))) {
                case ProcessParseResult.Valid valid -> DocumentTemplateFile.addTo(valid.processDefinition(), file);
                case ProcessParseResult.Invalid invalid ->
                    throw new CommandException(
                            ExitCode.USAGE,
                            "the process file has errors:\n"
                                    + invalid.problems().stream()
                                            .map(problem -> SafeText.line(problem.toString()))
                                            .collect(Collectors.joining("\n")));
            };
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot read the process file: " + SafeText.line(CommandException.describe(e)));
        }
    }

    private Optional<Path> path() {
        try {
            return Optional.of(Path.of(process));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private CommandException unknownProcess() {
        return new CommandException(
                ExitCode.USAGE,
                "unknown process or file '" + SafeText.line(process) + "'"
                        + WordSuggester.suggest(process, BuiltInProcesses.names())
                                .map(suggestion -> ". Did you mean '" + suggestion + "'?")
                                .orElse(". The built-in processes are " + String.join(", ", BuiltInProcesses.names())));
    }
}

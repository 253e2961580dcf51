package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.process.Processes;
import dev.gavel.yaml.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The option that says by which rules proposals live. */
final class ProcessOption {
    @Option(
            names = "--process",
            paramLabel = "NAME|FILE",
            description = "The process: one that comes with Gavel, or a file. Default: " + Processes.USUAL + ".")
    private String process = Processes.USUAL;

    /** The process named. */
    Process process() {
        return Processes.builtIn(process).orElseGet(this::read);
    }

    private Process read() {
        Path file = path().filter(Files::exists).orElseThrow(this::unknown);
        try {
            return switch (ProcessFile.read(process, Files.readString(file))) {
                case Reading.Sound sound -> sound.process();
                case Reading.Unsound unsound ->
                    throw new Complaint(
                            ExitCode.USAGE,
                            "the process is unsound:\n"
                                    + unsound.problems().stream()
                                            .map(problem -> SafeText.line(problem.toString()))
                                            .collect(Collectors.joining("\n")));
            };
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read the process: " + SafeText.line(Complaint.reason(e)));
        }
    }

    private Optional<Path> path() {
        try {
            return Optional.of(Path.of(process));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private Complaint unknown() {
        return new Complaint(
                ExitCode.USAGE,
                "there is no process and no file '" + SafeText.line(process) + "'"
                        + Nearest.to(process, Processes.names())
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse("; these come with Gavel: " + String.join(", ", Processes.names())));
    }
}

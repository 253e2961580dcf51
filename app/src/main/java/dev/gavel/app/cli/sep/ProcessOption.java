package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The option that says which process proposals go by. */
final class ProcessOption {
    @Option(
            names = "--process",
            paramLabel = "NAME|FILE",
            defaultValue = Processes.USUAL,
            description = "The process proposals go by: one that comes with the program, or a file. Default: "
                    + Processes.USUAL + ".")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String named;

    /** The process. */
    Process read() {
        Optional<Process> known = Processes.builtIn(named);
        if (known.isPresent()) {
            return known.get();
        }
        Path file = Path.of(named);
        if (!Files.exists(file)) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "there is no process '" + named + "': name a file, or one of "
                            + String.join(", ", Processes.names()) + ".");
        }
        try {
            return switch (ProcessFile.read(named, Files.readString(file))) {
                case Reading.Sound sound -> sound.process();
                case Reading.Unsound unsound ->
                    throw new Complaint(
                            ExitCode.USAGE,
                            unsound.problems().stream().map(String::valueOf).collect(Collectors.joining("\n")));
            };
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read the process " + named + ": " + Complaint.reason(e));
        }
    }
}

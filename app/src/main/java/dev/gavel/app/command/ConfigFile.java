package dev.gavel.app.command;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.LedgerAndBusConfigReader;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.yaml.FileProblem;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A configuration file that a command has read: its path, its settings and the problems found in it.
 *
 * @param problems the mistakes with which no server starts
 * @param warnings probable mistakes with which a server starts; empty if there are problems
 */
record ConfigFile(Path path, ServerConfig config, List<FileProblem> problems, List<FileProblem> warnings) {
    static ConfigFile read(Path file) {
        ProblemCollector problemCollector = new ProblemCollector();
        ProblemCollector warnings = new ProblemCollector();
        ServerConfig config =
                new ConfigFileReader(System::getenv, problemCollector, warnings).read(file.toString(), text(file));
        List<FileProblem> problems = problemCollector.list();
        return new ConfigFile(file, config, problems, problems.isEmpty() ? warnings.list() : List.of());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new CommandException(ExitCode.USAGE, "the file " + file + " does not exist");
        } catch (CharacterCodingException e) {
            throw new CommandException(ExitCode.USAGE, file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "cannot read " + file + ": " + CommandException.describe(e));
        }
    }

    /** Returns the ledger section of a file, even if other sections have problems. */
    static LedgerConfig ledgerConfig(Path file) {
        return readPart(
                file,
                (text, problems) -> LedgerAndBusConfigReader.ledger(file.toString(), text, System::getenv, problems));
    }

    /** Returns the data directory that a file configures, even if other sections have problems. */
    static Path dataDirectory(Path file) {
        return readPart(file, (text, problems) -> ConfigFileReader.dataDirectory(file.toString(), text, problems));
    }

    /** Returns the process of the SEPs that a file configures, even if other sections have problems. */
    static ProcessDefinition sepProcess(Path file) {
        return readPart(file, (text, problems) -> ConfigFileReader.sepProcess(file.toString(), text, problems));
    }

    private static <T> T readPart(Path file, BiFunction<String, ProblemCollector, T> reader) {
        ProblemCollector problemCollector = new ProblemCollector();
        T part = reader.apply(text(file), problemCollector);
        if (!problemCollector.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, lines(problemCollector.list()));
        }
        return part;
    }

    /** Returns the ledger configuration of the environment, for use without a file. */
    static LedgerConfig ledgerConfig() {
        return switch (LedgerAndBusConfigReader.ledger(System::getenv)) {
            case ValueParseResult.Valid<LedgerConfig>(LedgerConfig ledgerConfig) -> ledgerConfig;
            case ValueParseResult.Invalid<LedgerConfig>(String problem) ->
                throw new CommandException(ExitCode.USAGE, problem);
        };
    }

    private static String lines(List<FileProblem> problems) {
        return problems.stream().map(FileProblem::toString).collect(Collectors.joining("\ngavel: "));
    }

    /** Returns the configuration; ends the command with an error if it has problems. */
    ServerConfig requireValid() {
        if (!problems.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, lines(problems));
        }
        return config;
    }
}

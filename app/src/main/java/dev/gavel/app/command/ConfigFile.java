package dev.gavel.app.command;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.LedgerAndBusConfigReader;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
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
import java.util.stream.Collectors;

/** A configuration file that a command has read: its path, its settings and the problems found in it. */
record ConfigFile(Path path, ServerConfig config, List<FileProblem> problems) {
    static ConfigFile read(Path file) {
        ProblemCollector problemCollector = new ProblemCollector();
        ServerConfig config = new ConfigFileReader(System::getenv, problemCollector).read(file.toString(), text(file));
        return new ConfigFile(file, config, problemCollector.list());
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
        ProblemCollector problemCollector = new ProblemCollector();
        LedgerConfig ledgerConfig =
                LedgerAndBusConfigReader.ledger(file.toString(), text(file), System::getenv, problemCollector);
        if (!problemCollector.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, lines(problemCollector.list()));
        }
        return ledgerConfig;
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

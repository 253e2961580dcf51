package dev.gavel.app.cli;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.ConfigReader;
import dev.gavel.app.config.LedgerPlace;
import dev.gavel.app.config.SharedFields;
import dev.gavel.mcpx.Parsed;
import dev.gavel.yaml.Problem;
import dev.gavel.yaml.Problems;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration file as it was read, and what is wrong in it; beside problems the configuration is not fit for use. */
record ConfigFile(Path path, Config config, List<Problem> problems) {
    static ConfigFile read(Path file) {
        Problems problems = new Problems();
        Config config = new ConfigReader(System::getenv, problems).read(file.toString(), text(file));
        return new ConfigFile(file, config, problems.list());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new Complaint(ExitCode.USAGE, "there is no file " + file);
        } catch (CharacterCodingException e) {
            throw new Complaint(ExitCode.USAGE, file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read " + file + ": " + Complaint.reason(e));
        }
    }

    /** Where a file says that the ledger is, whatever else it says. */
    static LedgerPlace ledger(Path file) {
        Problems problems = new Problems();
        LedgerPlace place = SharedFields.ledger(file.toString(), text(file), System::getenv, problems);
        if (!problems.none()) {
            throw new Complaint(ExitCode.USAGE, lines(problems.list()));
        }
        return place;
    }

    /** Where the ledger is, where there is no file. */
    static LedgerPlace ledger() {
        return switch (SharedFields.ledger(System::getenv)) {
            case Parsed.Valid<LedgerPlace>(LedgerPlace place) -> place;
            case Parsed.Invalid<LedgerPlace>(String problem) -> throw new Complaint(ExitCode.USAGE, problem);
        };
    }

    private static String lines(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\ngavel: "));
    }

    /** The configuration, where nothing is wrong with it. */
    Config sound() {
        if (!problems.isEmpty()) {
            throw new Complaint(ExitCode.USAGE, lines(problems));
        }
        return config;
    }
}

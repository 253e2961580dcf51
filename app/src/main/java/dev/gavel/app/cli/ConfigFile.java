package dev.gavel.app.cli;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.ConfigReader;
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
        try {
            Config config = new ConfigReader(System::getenv, problems)
                    .read(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
            return new ConfigFile(file, config, problems.list());
        } catch (NoSuchFileException e) {
            throw new Complaint(ExitCode.USAGE, "there is no file " + file);
        } catch (CharacterCodingException e) {
            throw new Complaint(ExitCode.USAGE, file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read " + file + ": " + Complaint.reason(e));
        }
    }

    /** The configuration, where nothing is wrong with it. */
    Config sound() {
        if (!problems.isEmpty()) {
            throw new Complaint(
                    ExitCode.USAGE, problems.stream().map(Problem::toString).collect(Collectors.joining("\ngavel: ")));
        }
        return config;
    }
}

package dev.gavel.app.cli;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.Defaults;
import dev.gavel.app.config.LedgerPlace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the configuration and the data are: options that several commands share. */
public final class Place {
    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path config;

    @Option(names = "--data", paramLabel = "DIR", description = "Where data is kept. Default: ./.gavel.")
    private @Nullable Path data;

    /** The configuration file that was named, or the one that is here; empty where there is none to read. */
    Optional<Path> config() {
        return Optional.ofNullable(config).or(() -> Optional.of(Defaults.FILE).filter(Files::exists));
    }

    /** The data directory, where an option or the environment names one: that beats the configuration. */
    Optional<Path> data() {
        return Optional.ofNullable(data).or(() -> environment("GAVEL_DATA").map(Path::of));
    }

    /**
     * Where a ledger is that is there already. An option names a file's directory; else it is the database that the
     * configuration names, or a file. The configuration is read as far as it is needed for that: the tokens it needs may not
     * be at hand.
     */
    public KeptAt ledger() {
        LedgerPlace named = data == null ? configured() : new LedgerPlace.Sqlite();
        return switch (named) {
            case LedgerPlace.Postgres database -> new KeptAt(database, Config.ledgerFile(Defaults.DATA));
            case LedgerPlace.Sqlite file -> new KeptAt(file, file());
        };
    }

    private LedgerPlace configured() {
        return config().map(ConfigFile::ledger).orElseGet(ConfigFile::ledger);
    }

    private Path file() {
        Path file = Config.ledgerFile(data().or(() ->
                        config().map(named -> ConfigFile.read(named).sound().data()))
                .orElse(Defaults.DATA));
        if (!Files.exists(file)) {
            throw new Complaint(
                    ExitCode.USAGE, "there is no ledger " + file + "; name the data directory it is in with --data.");
        }
        return file;
    }

    /** An empty variable is as good as none. */
    static Optional<String> environment(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}

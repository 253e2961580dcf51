package dev.gavel.app.command;

import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --config} and {@code --data} of commands that need the configuration or the data directory. */
public final class ConfigAndDataOptions {
    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path config;

    @Option(names = "--data", paramLabel = "DIR", description = "Where data is kept. Default: ./.gavel.")
    private @Nullable Path data;

    /** The configuration file that was named, or the one that is here; empty where there is none to read. */
    Optional<Path> config() {
        return Optional.ofNullable(config)
                .or(() -> Optional.of(DefaultServerConfig.FILE).filter(Files::exists));
    }

    /** The data directory, where an option or the environment names one: that beats the configuration. */
    Optional<Path> data() {
        return Optional.ofNullable(data)
                .or(() -> environmentVariable("GAVEL_DATA").map(Path::of));
    }

    /**
     * Where a ledger is that is there already. An option names a file's directory; else it is the database that the
     * configuration names, or a file. The configuration is read as far as it is needed for that: the tokens it needs may not
     * be at hand.
     */
    public LedgerLocation ledgerLocation() {
        LedgerConfig named = data == null ? configuredLedger() : new LedgerConfig.Sqlite();
        return switch (named) {
            case LedgerConfig.Postgres database ->
                new LedgerLocation(database, ServerConfig.ledgerFile(DefaultServerConfig.DATA));
            case LedgerConfig.Sqlite file -> new LedgerLocation(file, ledgerFile());
        };
    }

    private LedgerConfig configuredLedger() {
        return config().map(ConfigFile::ledgerConfig).orElseGet(ConfigFile::ledgerConfig);
    }

    private Path ledgerFile() {
        Path file = ServerConfig.ledgerFile(data().or(() -> config().map(
                                named -> ConfigFile.read(named).requireValid().data()))
                .orElse(DefaultServerConfig.DATA));
        if (!Files.exists(file)) {
            throw new CommandException(
                    ExitCode.USAGE, "there is no ledger " + file + "; name the data directory it is in with --data.");
        }
        return file;
    }

    /** An empty variable is as good as none. */
    static Optional<String> environmentVariable(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}

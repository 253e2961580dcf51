package dev.gavel.app.command;

import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.web.identity.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --config} and {@code --data} of commands that need the configuration or the data directory. */
public final class ConfigAndDataOptions {
    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file. Default: ./gavel.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data directory (or GAVEL_DATA). Default: set in the configuration file, or else"
                    + " ./.gavel.")
    private @Nullable Path data;

    /** The configuration file that the option names, or the default one if it exists; otherwise empty. */
    Optional<Path> config() {
        return Optional.ofNullable(config)
                .or(() -> Optional.of(DefaultServerConfig.FILE).filter(Files::exists));
    }

    /** The data directory that the option or the environment names, which overrides the configuration. */
    Optional<Path> data() {
        return Optional.ofNullable(data)
                .or(() -> environmentVariable("GAVEL_DATA").map(Path::of));
    }

    /**
     * The location of an existing ledger. {@code --data} means the SQLite file in that directory. Otherwise the
     * configuration decides between a PostgreSQL database and a file. Only the ledger section and the data directory of
     * the configuration are read, because the tokens that the rest needs may not be available.
     */
    public LedgerLocation ledgerLocation() {
        LedgerConfig named = data == null ? configuredLedger() : new LedgerConfig.Sqlite();
        return switch (named) {
            case LedgerConfig.Postgres database ->
                new LedgerLocation(database, ServerConfig.ledgerFile(DefaultServerConfig.DATA));
            case LedgerConfig.Sqlite file -> new LedgerLocation(file, ledgerFile());
        };
    }

    /** The data directory of the server, even if other sections of the configuration have problems. */
    Path dataDirectory() {
        return data().or(() ->
                        config().map(named -> ConfigFile.read(named).config().data()))
                .orElse(DefaultServerConfig.DATA);
    }

    /**
     * The configured identities, even if other sections of the configuration have problems. Without a configuration
     * file, the two that every server has.
     */
    Map<String, Identity> identities() {
        return config().map(file -> ConfigFile.read(file).config().identities())
                .orElseGet(DefaultServerConfig::identitiesWithoutTokens);
    }

    private LedgerConfig configuredLedger() {
        return config().map(ConfigFile::ledgerConfig).orElseGet(ConfigFile::ledgerConfig);
    }

    private Path ledgerFile() {
        Path file = ServerConfig.ledgerFile(
                data().or(() -> config().map(ConfigFile::dataDirectory)).orElse(DefaultServerConfig.DATA));
        if (!Files.exists(file)) {
            throw new CommandException(
                    ExitCode.USAGE, "the ledger " + file + " does not exist. Set its data directory with --data.");
        }
        return file;
    }

    /** The value of an environment variable; a blank value counts as unset. */
    static Optional<String> environmentVariable(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }
}

package dev.gavel.app.command;

import dev.gavel.app.config.BusConfig;
import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.app.config.LedgerAndBusConfigReader;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ObservabilityConfigReader;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.app.server.GavelServer;
import dev.gavel.app.server.ServerEventLoops;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProcessMemoryProtection;
import dev.gavel.cli.log.LogLevel;
import dev.gavel.cli.log.LogOutputFormat;
import dev.gavel.cli.log.LogbackConfigurator;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.web.identity.InitialTokenFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code gavel serve} command: runs the gateway. */
@Command(
        name = "serve",
        description = "Run the server.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel serve",
            "  gavel serve --listen 127.0.0.1:0 --data /var/lib/gavel",
            "",
            "Without --config, the server reads gavel.yaml in the working directory. If there",
            "is no such file, it has one topic 'main' with the identities 'you' (admin) and",
            "'agent' (can only propose), and creates their tokens in the data directory. The",
            "variables GAVEL_LISTEN, GAVEL_DATA, GAVEL_LEDGER, GAVEL_BUS and GAVEL_PUBLIC_URL",
            "override the file. Options override the variables. To export traces, set the",
            "variable OTEL_EXPORTER_OTLP_ENDPOINT to the URL of a collector.",
        })
final class ServeCommand implements Callable<Integer> {
    private static final Logger logger = LoggerFactory.getLogger(ServeCommand.class);

    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "The address to listen on. Port 0 selects a free port. Default: 127.0.0.1:4285.")
    private @Nullable String listen;

    @Option(
            names = "--log",
            paramLabel = "text|json",
            description = "The format of the log on standard error (or GAVEL_LOG). Default: text.")
    private @Nullable String log;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "The log level (or GAVEL_LOG_LEVEL): error, warn, info or debug. Default: info.")
    private @Nullable String logLevel;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Starts to read the default SEP process in the background. Nearly every gateway needs it, and reading it takes as
     * long as parsing the command line. This is only a preload: a caller that needs the process waits for it or reads
     * it itself.
     */
    static void preloadProcess() {
        Thread.ofPlatform().daemon().name("gavel-preload").start(BuiltInProcesses::defaultProcess);
    }

    @Override
    public Integer call() throws InterruptedException {
        CompletableFuture<Boolean> memoryProtection = ProcessMemoryProtection.start();
        LogbackConfigurator.reconfigure(
                optionOrVariable(
                        log, "GAVEL_LOG", "text", "--log and GAVEL_LOG must be text or json", LogOutputFormat::parse),
                optionOrVariable(
                        logLevel,
                        "GAVEL_LOG_LEVEL",
                        "info",
                        "--log-level and GAVEL_LOG_LEVEL must be error, warn, info or debug",
                        LogLevel::parse));
        Optional<Path> chosen = configAndDataOptions.config();
        ServerEventLoops serverEventLoops = ServerEventLoops.start(
                GavelServer.eventLoopsFor(Runtime.getRuntime().availableProcessors()));
        ServerConfig config = loadConfig(chosen, serverEventLoops);
        // Before the server starts programs that could read its environment.
        memoryProtection.join();
        GavelServer server;
        try {
            server = GavelServer.start(config, serverEventLoops);
        } catch (BindException e) {
            throw new CommandException(ExitCode.USAGE, e.getMessage() + ". Choose another address with --listen.");
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "cannot start: " + e.getMessage());
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            ConsoleAddressFile.delete(
                                    config.data(), server.links().consoleUrl());
                            // A requested stop that succeeds exits with 0; the JVM would exit with 143.
                            Runtime.getRuntime().halt(ExitCode.SUCCESS);
                        },
                        "drain"));
        ConsoleAddressFile.write(config.data(), server.links().consoleUrl());
        announce(config, server, chosen.isEmpty());
        new CountDownLatch(1).await();
        return ExitCode.SUCCESS;
    }

    private ServerConfig loadConfig(Optional<Path> file, ServerEventLoops serverEventLoops) {
        try {
            return applyOverrides(file.isPresent() ? loadFile(file.get()) : defaults());
        } catch (RuntimeException e) {
            serverEventLoops.close();
            throw e;
        }
    }

    private static ServerConfig loadFile(Path file) {
        ConfigFile configFile = ConfigFile.read(file);
        ServerConfig config = configFile.requireValid();
        if (!configFile.warnings().isEmpty()) {
            logger.warn("There are warnings about {}. To list them, run: gavel config check {}", file, file);
        }
        return config;
    }

    /** The value of the option, else of the environment variable, else the default. */
    private static <T> T optionOrVariable(
            @Nullable String option,
            String variable,
            String defaultValue,
            String expected,
            Function<String, Optional<T>> parse) {
        String word = Optional.ofNullable(option)
                .or(() -> ConfigAndDataOptions.environmentVariable(variable))
                .orElse(defaultValue);
        return parse.apply(word)
                .orElseThrow(() -> new CommandException(ExitCode.USAGE, expected + ", not '" + word + "'."));
    }

    private ServerConfig defaults() {
        LedgerConfig ledger = requireValid(LedgerAndBusConfigReader.ledger(System::getenv));
        BusConfig bus = requireValid(LedgerAndBusConfigReader.bus(System::getenv));
        try {
            ServerConfig config = DefaultServerConfig.config(
                            configAndDataOptions.data().orElse(DefaultServerConfig.DATA))
                    .withLedgerAndBus(ledger, bus);
            config.sharingProblem().ifPresent(objection -> {
                throw new CommandException(ExitCode.USAGE, objection);
            });
            return config;
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot store tokens in the data directory: " + CommandException.describe(e));
        }
    }

    private static <T> T requireValid(ValueParseResult<T> read) {
        return switch (read) {
            case ValueParseResult.Valid<T>(T value) -> value;
            case ValueParseResult.Invalid<T>(String problem) -> throw new CommandException(ExitCode.USAGE, problem);
        };
    }

    /** Applies the options and environment variables, which override the file. */
    private ServerConfig applyOverrides(ServerConfig config) {
        ServerConfig withDataDirectory =
                configAndDataOptions.data().map(config::withData).orElse(config);
        ServerConfig withTraces = ConfigAndDataOptions.environmentVariable("OTEL_EXPORTER_OTLP_ENDPOINT")
                .map(address -> withDataDirectory.withTraces(ObservabilityConfigReader.parseCollector(address)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE,
                                "OTEL_EXPORTER_OTLP_ENDPOINT must be " + ObservabilityConfigReader.EXPECTED_COLLECTOR
                                        + "."))))
                .orElse(withDataDirectory);
        ServerConfig withDrain = ConfigAndDataOptions.environmentVariable("GAVEL_DRAIN")
                .map(time -> withTraces.withDrain(ConfigFileReader.parseDrain(time)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE, "GAVEL_DRAIN must be " + ConfigFileReader.EXPECTED_DRAIN + "."))))
                .orElse(withTraces);
        ServerConfig withPublicUrl = ConfigAndDataOptions.environmentVariable("GAVEL_PUBLIC_URL")
                .map(text -> withDrain.withPublicUrl(
                        switch (ConfigFileReader.parsePublicUrl(text)) {
                            case ValueParseResult.Valid<URI>(URI url) -> url;
                            case ValueParseResult.Invalid<URI>(String problem) ->
                                throw new CommandException(ExitCode.USAGE, "GAVEL_PUBLIC_URL " + problem + ".");
                        }))
                .orElse(withDrain);
        return listen().map(withPublicUrl::withListen).orElse(withPublicUrl);
    }

    private Optional<ListenAddress> listen() {
        Optional<String> text =
                Optional.ofNullable(listen).or(() -> ConfigAndDataOptions.environmentVariable("GAVEL_LISTEN"));
        return text.map(address -> ListenAddress.parse(address)
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE, "'" + address + "' is not a valid address: use " + ListenAddress.EXPECTED)));
    }

    private void announce(ServerConfig config, GavelServer server, boolean withDefaults) {
        PrintWriter out = spec.commandLine().getOut();
        String address = (config.tls().isPresent() ? "https://" : "http://") + server.listen();
        InitialTokenFiles tokens = new InitialTokenFiles(config.data());
        Optional<URI> link = withDefaults ? server.links().signInUrl(DefaultServerConfig.OWNER) : Optional.empty();
        if (json.isGiven(spec)) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("listening", address);
                link.or(server.links()::consoleUrl)
                        .ifPresent(console -> document.writeStringProperty("console", console.toString()));
                document.writeObjectPropertyStart("mcp");
                for (String topic : config.topics().keySet()) {
                    document.writeStringProperty(
                            topic, server.links().mcp(topic).toString());
                }
                document.writeEndObject();
                if (withDefaults) {
                    document.writeObjectPropertyStart("tokens");
                    for (String identity : List.of(DefaultServerConfig.OWNER, DefaultServerConfig.AGENT)) {
                        document.writeStringProperty(
                                identity, tokens.file(identity).toString());
                    }
                    document.writeEndObject();
                }
                document.writeEndObject();
            }));
            out.flush();
            return;
        }
        out.println("listening on " + address);
        out.println("console:    "
                + link.map(it -> it + " (one-time sign-in link)")
                        .or(() -> server.links().consoleUrl().map(url -> url + " (sign in with a token)"))
                        .orElse("off (to use it, set publicUrl or GAVEL_PUBLIC_URL to the URL that browsers use)"));
        for (URI mcp : server.links().mcp()) {
            out.println("MCP:        " + mcp + " with the header 'Authorization: Bearer TOKEN'");
        }
        if (withDefaults) {
            String socket = address.replaceFirst("http", "ws") + "/ws?topic=" + DefaultServerConfig.TOPIC;
            out.println("WebSocket:  " + socket + " with the same header");
            out.println("tokens:     " + tokens.file(DefaultServerConfig.OWNER) + " (admin), "
                    + tokens.file(DefaultServerConfig.AGENT) + " (can only propose)");
        }
        out.flush();
    }
}

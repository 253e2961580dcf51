package dev.gavel.app.cli;

import dev.gavel.app.config.BusPlace;
import dev.gavel.app.config.Config;
import dev.gavel.app.config.ConfigReader;
import dev.gavel.app.config.Defaults;
import dev.gavel.app.config.LedgerPlace;
import dev.gavel.app.config.Listen;
import dev.gavel.app.config.ObservingFields;
import dev.gavel.app.config.SharedFields;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.log.LogFormat;
import dev.gavel.app.log.LogLevel;
import dev.gavel.app.log.LogSetup;
import dev.gavel.app.server.Engine;
import dev.gavel.app.server.Server;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.Processes;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the gateway until it is told to stop. */
@Command(
        name = "serve",
        description = "Run the gateway.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel serve",
            "  gavel serve --listen 127.0.0.1:0 --data /var/lib/gavel",
            "",
            "Without --config, gavel.yaml in the working directory is used; without that,",
            "one topic 'main' with the identities 'you' (may do everything) and 'agent'",
            "(may only propose), whose tokens are made in the data directory. The variables",
            "GAVEL_LISTEN, GAVEL_DATA, GAVEL_LEDGER and GAVEL_BUS override the file; options",
            "override both. OTEL_EXPORTER_OTLP_ENDPOINT names a collector of traces.",
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private final Place place = new Place();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 picks a free one. Default: 127.0.0.1:4285.")
    private @Nullable String listen;

    @Option(
            names = "--log",
            paramLabel = "text|json",
            description = "How to write the log, on standard error. Default: text, or GAVEL_LOG.")
    private @Nullable String log;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "error, warn, info or debug. Default: info, or GAVEL_LOG_LEVEL.")
    private @Nullable String logLevel;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Begins to read the process for specifications, which nearly every gateway has and which takes as long as making sense
     * of the command line. Nothing depends on it: whoever wants the process waits for it, or reads it.
     */
    static void readAhead() {
        Thread.ofPlatform().daemon().name("gavel-ahead").start(Processes::usual);
    }

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.use(
                chosen(log, "GAVEL_LOG", "text", "--log is text or json", LogFormat::parse),
                chosen(
                        logLevel,
                        "GAVEL_LOG_LEVEL",
                        "info",
                        "--log-level is error, warn, info or debug",
                        LogLevel::parse));
        Optional<Path> chosen = place.config();
        Engine engine = Engine.start(Server.loopsFor(Runtime.getRuntime().availableProcessors()));
        Config config = configured(chosen, engine);
        Server server;
        try {
            server = Server.start(config, engine);
        } catch (BindException e) {
            throw new Complaint(ExitCode.USAGE, e.getMessage() + "; choose another address with --listen.");
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot start: " + e.getMessage());
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            // Being told to stop, and stopping, is success; the JVM by itself would say 143.
                            Runtime.getRuntime().halt(ExitCode.DONE);
                        },
                        "drain"));
        announce(config, server, chosen.isEmpty());
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    private Config configured(Optional<Path> file, Engine engine) {
        try {
            return overridden(file.isPresent() ? ConfigFile.read(file.get()).sound() : defaults());
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** What an option says, else a variable, else the usual. */
    private static <T> T chosen(
            @Nullable String option,
            String variable,
            String usual,
            String expected,
            Function<String, Optional<T>> parse) {
        String word = Optional.ofNullable(option)
                .or(() -> Place.environment(variable))
                .orElse(usual);
        return parse.apply(word)
                .orElseThrow(() -> new Complaint(
                        ExitCode.USAGE, expected + ", not '" + word + "'; so is the variable " + variable + "."));
    }

    private Config defaults() {
        LedgerPlace ledger = required(SharedFields.ledger(System::getenv));
        BusPlace bus = required(SharedFields.bus(System::getenv));
        try {
            Config config = Defaults.config(place.data().orElse(Defaults.DATA)).sharing(ledger, bus);
            config.objection().ifPresent(objection -> {
                throw new Complaint(ExitCode.USAGE, objection);
            });
            return config;
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot keep tokens in the data directory: " + Complaint.reason(e));
        }
    }

    private static <T> T required(Parsed<T> read) {
        return switch (read) {
            case Parsed.Valid<T>(T value) -> value;
            case Parsed.Invalid<T>(String problem) -> throw new Complaint(ExitCode.USAGE, problem);
        };
    }

    /** What options and environment say beats what the file says. */
    private Config overridden(Config config) {
        Config here = place.data().map(config::withData).orElse(config);
        Config traced = Place.environment("OTEL_EXPORTER_OTLP_ENDPOINT")
                .map(address -> here.withTraces(ObservingFields.collector(address)
                        .orElseThrow(() -> new Complaint(
                                ExitCode.USAGE,
                                "OTEL_EXPORTER_OTLP_ENDPOINT must be " + ObservingFields.COLLECTOR + "."))))
                .orElse(here);
        Config lasting = Place.environment("GAVEL_DRAIN")
                .map(time -> traced.withDrain(ConfigReader.drain(time)
                        .orElseThrow(() ->
                                new Complaint(ExitCode.USAGE, "GAVEL_DRAIN must be " + ConfigReader.DRAIN + "."))))
                .orElse(traced);
        return listen().map(lasting::withListen).orElse(lasting);
    }

    private Optional<Listen> listen() {
        Optional<String> text = Optional.ofNullable(listen).or(() -> Place.environment("GAVEL_LISTEN"));
        return text.map(address -> Listen.parse(address)
                .orElseThrow(() ->
                        new Complaint(ExitCode.USAGE, "'" + address + "' is not an address: use " + Listen.EXPECTED)));
    }

    private void announce(Config config, Server server, boolean withDefaults) {
        PrintWriter out = spec.commandLine().getOut();
        String address = (config.tls().isPresent() ? "https://" : "http://") + server.listen();
        TokenFiles tokens = new TokenFiles(config.data());
        Optional<URI> link = withDefaults ? server.links().signIn(Defaults.OWNER) : Optional.empty();
        if (json.given(spec)) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("listening", address);
                document.writeStringProperty(
                        "console", link.orElseGet(server.links()::console).toString());
                document.writeObjectPropertyStart("mcp");
                for (String topic : config.topics().keySet()) {
                    document.writeStringProperty(
                            topic, server.links().mcp(topic).toString());
                }
                document.writeEndObject();
                if (withDefaults) {
                    document.writeObjectPropertyStart("tokens");
                    for (String identity : List.of(Defaults.OWNER, Defaults.AGENT)) {
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
                + link.map(it -> it + " (signs you in, once)")
                        .orElseGet(() -> server.links().console() + " (sign in with a token)"));
        for (URI mcp : server.links().mcp()) {
            out.println("MCP:        " + mcp + " with the header 'Authorization: Bearer TOKEN'");
        }
        if (withDefaults) {
            String socket = address.replaceFirst("http", "ws") + "/ws?topic=" + Defaults.TOPIC;
            out.println("connect to  " + socket + " with the same header");
            out.println("tokens:     " + tokens.file(Defaults.OWNER) + " (may do everything), "
                    + tokens.file(Defaults.AGENT) + " (may only propose)");
        }
        out.flush();
    }
}

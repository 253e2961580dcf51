package dev.gavel.app.cli;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.ConfigReader;
import dev.gavel.app.config.Defaults;
import dev.gavel.app.config.Listen;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.server.Server;
import dev.gavel.yaml.Problem;
import dev.gavel.yaml.Problems;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
            "GAVEL_LISTEN and GAVEL_DATA override the file; options override both.",
        })
final class ServeCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path file;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 picks a free one. Default: 127.0.0.1:4285.")
    private @Nullable String listen;

    @Option(names = "--data", paramLabel = "DIR", description = "Where data is kept. Default: ./.gavel.")
    private @Nullable Path data;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Optional<Path> chosen =
                Optional.ofNullable(file).or(() -> Optional.of(Defaults.FILE).filter(Files::exists));
        Config config = overridden(chosen.isPresent() ? read(chosen.get()) : defaults());
        Server server;
        try {
            server = Server.start(config, Server.loopsFor(Runtime.getRuntime().availableProcessors()));
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

    private Config defaults() {
        try {
            return Defaults.config(data().orElse(Defaults.DATA));
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot keep tokens in the data directory: " + reason(e));
        }
    }

    /** What options and environment say beats what the file says. */
    private Config overridden(Config config) {
        Config here = data().map(config::withData).orElse(config);
        return listen().map(here::withListen).orElse(here);
    }

    private static Config read(Path file) {
        Problems problems = new Problems();
        Config config;
        try {
            config = new ConfigReader(System::getenv, problems)
                    .read(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new Complaint(ExitCode.USAGE, "there is no file " + file);
        } catch (CharacterCodingException e) {
            throw new Complaint(ExitCode.USAGE, file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read " + file + ": " + reason(e));
        }
        if (!problems.none()) {
            throw new Complaint(
                    ExitCode.USAGE,
                    problems.list().stream().map(Problem::toString).collect(Collectors.joining("\ngavel: ")));
        }
        return config;
    }

    /** The reason too: of many failures of files the message is only the file's name. */
    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileSystemException other -> other.getFile() + ": " + other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }

    private Optional<Listen> listen() {
        Optional<String> text = Optional.ofNullable(listen).or(() -> environment("GAVEL_LISTEN"));
        return text.map(address -> Listen.parse(address)
                .orElseThrow(() ->
                        new Complaint(ExitCode.USAGE, "'" + address + "' is not an address: use " + Listen.EXPECTED)));
    }

    /** An empty variable is as good as none. */
    private static Optional<String> environment(String variable) {
        return Optional.ofNullable(System.getenv(variable)).filter(value -> !value.isBlank());
    }

    private Optional<Path> data() {
        return Optional.ofNullable(data).or(() -> environment("GAVEL_DATA").map(Path::of));
    }

    private void announce(Config config, Server server, boolean withDefaults) {
        PrintWriter out = spec.commandLine().getOut();
        String address = (config.tls().isPresent() ? "https://" : "http://") + server.listen();
        out.println("listening on " + address);
        if (withDefaults) {
            TokenFiles tokens = new TokenFiles(config.data());
            String socket = address.replaceFirst("http", "ws") + "/ws?topic=" + Defaults.TOPIC;
            out.println("connect to  " + socket + " with the header 'Authorization: Bearer TOKEN'");
            out.println("tokens:     " + tokens.file(Defaults.OWNER) + " (may do everything), "
                    + tokens.file(Defaults.AGENT) + " (may only propose)");
        }
        out.flush();
    }
}

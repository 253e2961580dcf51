package dev.gavel.app.command;

import dev.gavel.app.demo.DemoAgent;
import dev.gavel.app.demo.DemoWorkingDirectory;
import dev.gavel.app.server.GavelServer;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProcessMemoryProtection;
import dev.gavel.cli.ShellQuoting;
import dev.gavel.cli.log.LogLevel;
import dev.gavel.cli.log.LogOutputFormat;
import dev.gavel.cli.log.LogbackConfigurator;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code gavel demo} command: runs a gateway with a sample agent that proposes calls. */
@Command(
        name = "demo",
        description = "Run a server with a sample agent that proposes calls to you.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel demo",
            "  gavel demo --data ./gavel-demo     keep the data for the next demo",
            "",
            "A scripted agent works on a few sample files. It is allowed to read them. It",
            "proposes every change, and you approve or reject the proposal. There are also a",
            "few specification proposals. The demo needs no network. Press Ctrl-C to stop it.",
        })
final class DemoCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(DemoCommand.class);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "The address to listen on. Port 0 selects a free port. Default: 127.0.0.1:4285.")
    private @Nullable String listen;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data directory: an empty directory, or the directory of an earlier demo."
                    + " Default: a temporary directory, which the demo deletes when it ends.")
    private @Nullable Path data;

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ListenAddress address = address();
        CompletableFuture<Boolean> memoryProtection = ProcessMemoryProtection.start();
        // The command prints its progress as text. The log is only for errors.
        LogbackConfigurator.reconfigure(LogOutputFormat.TEXT, LogLevel.WARN);
        DemoWorkingDirectory demoWorkingDirectory;
        try {
            demoWorkingDirectory = DemoWorkingDirectory.prepare(Optional.ofNullable(data));
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot store the demo's files: " + CommandException.describe(e));
        }
        memoryProtection.join();
        RunningDemo runningDemo = new RunningDemo(demoWorkingDirectory);
        Runtime.getRuntime().addShutdownHook(new Thread(runningDemo::stop, "drain"));
        GavelServer server;
        DemoAgent agent;
        // A shutdown during the start waits for the start, so that no file is created after the cleanup.
        synchronized (runningDemo) {
            server = start(demoWorkingDirectory, address);
            agent = agent(demoWorkingDirectory, server);
            runningDemo.setStarted(server, agent);
        }
        ConsoleAddressFile.write(
                demoWorkingDirectory.directory(), server.links().consoleUrl());
        announce(demoWorkingDirectory, server);
        Thread.ofVirtual().name("seps").start(() -> createSeps(demoWorkingDirectory, server));
        agent.run();
        new CountDownLatch(1).await();
        return ExitCode.SUCCESS;
    }

    /** What the shutdown hook must stop, as far as it has been started. */
    private static final class RunningDemo {
        private final DemoWorkingDirectory place;
        private @Nullable GavelServer server;
        private @Nullable DemoAgent agent;

        RunningDemo(DemoWorkingDirectory demoWorkingDirectory) {
            this.place = demoWorkingDirectory;
        }

        synchronized void setStarted(GavelServer started, DemoAgent startedAgent) {
            server = started;
            agent = startedAgent;
        }

        synchronized void stop() {
            if (agent != null) {
                agent.close();
            }
            if (server != null) {
                server.close();
                ConsoleAddressFile.delete(place.directory(), server.links().consoleUrl());
            }
            remove(place);
            if (server != null) {
                Runtime.getRuntime().halt(ExitCode.SUCCESS);
            }
        }
    }

    private ListenAddress address() {
        ListenAddress address = Optional.ofNullable(listen)
                .map(text -> ListenAddress.parse(text)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE,
                                "'" + text + "' is not a valid address: use " + ListenAddress.EXPECTED)))
                .orElse(ListenAddress.DEFAULT);
        if (!address.isLoopback()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "the demo can only listen on this machine (127.0.0.1). To listen on another address, use"
                            + " 'gavel serve'.");
        }
        return address;
    }

    private static GavelServer start(DemoWorkingDirectory demoWorkingDirectory, ListenAddress address) {
        try {
            return GavelServer.start(
                    demoWorkingDirectory.config(address),
                    GavelServer.eventLoopsFor(Runtime.getRuntime().availableProcessors()));
        } catch (BindException e) {
            remove(demoWorkingDirectory);
            throw new CommandException(ExitCode.USAGE, e.getMessage() + ". Choose another address with --listen.");
        } catch (IOException e) {
            remove(demoWorkingDirectory);
            throw new CommandException(ExitCode.USAGE, "cannot start: " + e.getMessage());
        }
    }

    private DemoAgent agent(DemoWorkingDirectory demoWorkingDirectory, GavelServer server) {
        try {
            PrintWriter out = spec.commandLine().getOut();
            boolean quiet = json.isGiven(spec);
            return new DemoAgent(
                    URI.create(url(server) + "/mcp/" + DemoWorkingDirectory.TOPIC),
                    Files.readString(demoWorkingDirectory.tokenFile(DemoWorkingDirectory.AGENT))
                            .strip(),
                    line -> {
                        if (!quiet) {
                            out.println("agent: " + SafeText.line(line));
                            out.flush();
                        }
                    },
                    PAUSE,
                    () -> server.links().signInUrl(DemoWorkingDirectory.OWNER),
                    command("topic watch", demoWorkingDirectory, server));
        } catch (IOException e) {
            server.close();
            remove(demoWorkingDirectory);
            throw new CommandException(
                    ExitCode.USAGE, "cannot read the agent's token: " + CommandException.describe(e));
        }
    }

    /** Runs in the background: the demo does not wait for the sample SEPs and continues without them if this fails. */
    private static void createSeps(DemoWorkingDirectory demoWorkingDirectory, GavelServer server) {
        try {
            demoWorkingDirectory.createSampleSeps(URI.create(url(server) + "/"));
        } catch (IOException e) {
            log.warn("The demo could not create its sample specification proposals: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(DemoWorkingDirectory demoWorkingDirectory) {
        try {
            demoWorkingDirectory.close();
        } catch (IOException e) {
            // The operating system cleans up its temporary directories.
            return;
        }
    }

    private static String url(GavelServer server) {
        return "http://" + server.listen();
    }

    private void announce(DemoWorkingDirectory demoWorkingDirectory, GavelServer server) {
        PrintWriter out = spec.commandLine().getOut();
        Optional<URI> link = server.links().signInUrl(DemoWorkingDirectory.OWNER);
        if (json.isGiven(spec)) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("listening", url(server));
                document.writeStringProperty("topic", DemoWorkingDirectory.TOPIC);
                document.writeStringProperty(
                        "directory", demoWorkingDirectory.directory().toString());
                link.ifPresent(address -> document.writeStringProperty("console", address.toString()));
                document.writeEndObject();
            }));
            out.flush();
            return;
        }
        out.println("listening on " + url(server));
        out.println();
        out.println("An agent wants to change some files. You decide.");
        link.ifPresent(address -> out.println("  In a browser, open    " + address + "   (one-time sign-in link)"));
        out.println("  In another terminal   " + command("review", demoWorkingDirectory, server));
        out.println("The files are in " + demoWorkingDirectory.sandbox() + ". The configuration is in "
                + demoWorkingDirectory.file() + ".");
        out.println(
                "Press Ctrl-C to stop the demo" + (demoWorkingDirectory.temporary() ? " and delete its files." : "."));
        out.println();
        out.flush();
    }

    /** The command line of a command for the demo's topic, with the program name that the user typed. */
    private static String command(String name, DemoWorkingDirectory demoWorkingDirectory, GavelServer server) {
        String gavel = ConfigAndDataOptions.environmentVariable("GAVEL_COMMAND").orElse("gavel");
        String urlOption = server.listen().equals(ListenAddress.DEFAULT) ? "" : " --url " + url(server);
        return ShellQuoting.quote(gavel) + " " + name + " " + DemoWorkingDirectory.TOPIC + urlOption + " --token "
                + ShellQuoting.quote("file:" + demoWorkingDirectory.tokenFile(DemoWorkingDirectory.OWNER));
    }
}

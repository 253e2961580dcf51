package dev.gavel.app.cli;

import dev.gavel.app.config.Listen;
import dev.gavel.app.demo.DemoAgent;
import dev.gavel.app.demo.DemoPlace;
import dev.gavel.app.log.LogFormat;
import dev.gavel.app.log.LogLevel;
import dev.gavel.app.log.LogSetup;
import dev.gavel.app.server.Server;
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
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a gateway with something going on in it, for who has read nothing. */
@Command(
        name = "demo",
        description = "Run a gateway with a sample agent that asks you for things.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel demo",
            "  gavel demo --data ./gavel-demo     to find everything there the next time",
            "",
            "A scripted agent works on a few sample files. It may read them; what it wants",
            "to change, you are asked about. There are a few specification proposals, too.",
            "Needs no network; Ctrl-C ends everything.",
        })
final class DemoCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(DemoCommand.class);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 picks a free one. Default: 127.0.0.1:4285.")
    private @Nullable String listen;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the demo is kept: an empty directory, or an earlier demo's."
                    + " Default: a new one, which goes away with the demo.")
    private @Nullable Path data;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Listen address = address();
        // What goes on is told in words; the log is only for what went wrong.
        LogSetup.use(LogFormat.TEXT, LogLevel.WARN);
        DemoPlace place;
        try {
            place = DemoPlace.prepare(Optional.ofNullable(data));
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot keep the demo's files: " + Complaint.reason(e));
        }
        Running running = new Running(place);
        Runtime.getRuntime().addShutdownHook(new Thread(running::end, "drain"));
        Server server;
        DemoAgent agent;
        // Whoever ends it while it starts waits for that, so that nothing is made after everything was taken away.
        synchronized (running) {
            server = start(place, address);
            agent = agent(place, server);
            running.began(server, agent);
        }
        announce(place, server);
        Thread.ofVirtual().name("seps").start(() -> makeSeps(place, server));
        agent.run();
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    /** What there is to end, so far. */
    private static final class Running {
        private final DemoPlace place;
        private @Nullable Server server;
        private @Nullable DemoAgent agent;

        Running(DemoPlace place) {
            this.place = place;
        }

        synchronized void began(Server started, DemoAgent works) {
            server = started;
            agent = works;
        }

        synchronized void end() {
            if (agent != null) {
                agent.close();
            }
            if (server != null) {
                server.close();
            }
            remove(place);
            if (server != null) {
                Runtime.getRuntime().halt(ExitCode.DONE);
            }
        }
    }

    private Listen address() {
        Listen address = Optional.ofNullable(listen)
                .map(text -> Listen.parse(text)
                        .orElseThrow(() -> new Complaint(
                                ExitCode.USAGE, "'" + text + "' is not an address: use " + Listen.EXPECTED)))
                .orElse(Listen.DEFAULT);
        if (!address.isLoopback()) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "the demo is for this machine alone: listen on 127.0.0.1; 'gavel serve' can listen elsewhere.");
        }
        return address;
    }

    private static Server start(DemoPlace place, Listen address) {
        try {
            return Server.start(
                    place.config(address), Server.loopsFor(Runtime.getRuntime().availableProcessors()));
        } catch (BindException e) {
            remove(place);
            throw new Complaint(ExitCode.USAGE, e.getMessage() + "; choose another address with --listen.");
        } catch (IOException e) {
            remove(place);
            throw new Complaint(ExitCode.USAGE, "cannot start: " + e.getMessage());
        }
    }

    private DemoAgent agent(DemoPlace place, Server server) {
        try {
            PrintWriter out = spec.commandLine().getOut();
            boolean quiet = json.given(spec);
            return new DemoAgent(
                    URI.create(url(server) + "/mcp/" + DemoPlace.TOPIC),
                    Files.readString(place.tokenFile(DemoPlace.AGENT)).strip(),
                    line -> {
                        if (!quiet) {
                            out.println("agent: " + SafeText.line(line));
                            out.flush();
                        }
                    },
                    PAUSE);
        } catch (IOException e) {
            server.close();
            remove(place);
            throw new Complaint(ExitCode.USAGE, "cannot read the agent's token: " + Complaint.reason(e));
        }
    }

    /** Beside everything else: nobody is to wait for it, and the demo goes on without. */
    private static void makeSeps(DemoPlace place, Server server) {
        try {
            place.makeSeps(URI.create(url(server) + "/"));
        } catch (IOException e) {
            log.warn("the demo has no sample SEPs: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(DemoPlace place) {
        try {
            place.close();
        } catch (IOException e) {
            // Left to whatever clears temporary directories.
            return;
        }
    }

    private static String url(Server server) {
        return "http://" + server.listen();
    }

    private void announce(DemoPlace place, Server server) {
        PrintWriter out = spec.commandLine().getOut();
        Optional<URI> link = server.links().signIn(DemoPlace.OWNER);
        if (json.given(spec)) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("listening", url(server));
                document.writeStringProperty("topic", DemoPlace.TOPIC);
                document.writeStringProperty("directory", place.directory().toString());
                link.ifPresent(address -> document.writeStringProperty("console", address.toString()));
                document.writeEndObject();
            }));
            out.flush();
            return;
        }
        out.println("listening on " + url(server));
        out.println();
        out.println("An agent wants to change some files, and you decide.");
        link.ifPresent(address -> out.println("  In a browser, open    " + address + "   (once)"));
        out.println("  In another terminal   " + review(place, server));
        out.println("The files are in " + place.sandbox() + ", how it is set up in " + place.file() + ".");
        out.println("Ctrl-C ends everything" + (place.passing() ? " and leaves nothing behind." : "."));
        out.println();
        out.flush();
    }

    /** What to type to decide in a terminal, as whoever started this one would type it. */
    private static String review(DemoPlace place, Server server) {
        String gavel = Place.environment("GAVEL_COMMAND").orElse("gavel");
        String elsewhere = server.listen().equals(Listen.DEFAULT) ? "" : " --url " + url(server);
        return ShellWord.of(gavel) + " review " + DemoPlace.TOPIC + elsewhere + " --token "
                + ShellWord.of("file:" + place.tokenFile(DemoPlace.OWNER));
    }
}

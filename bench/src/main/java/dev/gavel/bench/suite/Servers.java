package dev.gavel.bench.suite;

import dev.gavel.bench.FanOut;
import dev.gavel.bench.NatsProcess;
import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The servers that parts measure, each a process that ends with its workbench. Stateless. */
final class Servers {
    static final Duration START = Duration.ofSeconds(30);

    private Servers() {}

    /** A server that runs, and where it listens. */
    record Running(ServerProcess process, InetSocketAddress address) {}

    static Running relay(Workbench workbench) throws InterruptedException {
        ServerProcess relay = workbench.start("relay", FanOut.relayCommand());
        return new Running(relay, relay.address(START));
    }

    static Running gavel(Workbench workbench, String configuration) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(workbench.directory(), "gavel");
        ServerProcess gavel = workbench.start("gavel", serve(directory, configuration));
        return new Running(gavel, gavel.address(START));
    }

    /** The command that serves a configuration, with everything in one directory. */
    static List<String> serve(Path directory, String configuration) throws IOException {
        Path file = Files.writeString(directory.resolve("gavel.yaml"), configuration);
        return List.of(
                "./gavel",
                "serve",
                "--config",
                file.toString(),
                "--listen",
                "127.0.0.1:0",
                "--data",
                directory.resolve("data").toString());
    }

    static Running nats(Workbench workbench) throws IOException, InterruptedException {
        NatsProcess nats = NatsProcess.start(workbench);
        return new Running(nats.process(), nats.address());
    }
}

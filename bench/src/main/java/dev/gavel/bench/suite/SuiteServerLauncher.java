package dev.gavel.bench.suite;

import dev.gavel.bench.fanout.FanOutBenchmark;
import dev.gavel.bench.server.NatsServerProcess;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts the servers that the benchmark suite measures: Gavel, a minimal relay and NATS. Stateless. */
final class SuiteServerLauncher {
    static final Duration START = Duration.ofSeconds(30);

    private SuiteServerLauncher() {}

    /** A running server and its address. */
    record RunningServer(ServerProcess process, InetSocketAddress address) {}

    static RunningServer startRelay(RunWorkspace runWorkspace) throws InterruptedException {
        ServerProcess relay = runWorkspace.start("relay", FanOutBenchmark.relayCommand());
        return new RunningServer(relay, relay.awaitAddress(START));
    }

    static RunningServer startGavel(RunWorkspace runWorkspace, String configuration)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(runWorkspace.directory(), "gavel");
        ServerProcess gavel = runWorkspace.start("gavel", serveCommand(directory, configuration));
        return new RunningServer(gavel, gavel.awaitAddress(START));
    }

    /** The command that serves a configuration, with all files in one directory. */
    static List<String> serveCommand(Path directory, String configuration) throws IOException {
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

    static RunningServer startNats(RunWorkspace runWorkspace) throws IOException, InterruptedException {
        NatsServerProcess nats = NatsServerProcess.start(runWorkspace);
        return new RunningServer(nats.process(), nats.address());
    }
}

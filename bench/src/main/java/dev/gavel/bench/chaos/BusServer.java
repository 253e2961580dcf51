package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A NATS server on a port of its own. Used by one thread at a time. */
final class BusServer implements AutoCloseable {
    private final Path log;
    private final int port;
    private final int monitor;
    private Process process;

    BusServer(Path directory, int port, int monitor) {
        this.log = directory.resolve("nats.log");
        this.port = port;
        this.monitor = monitor;
        this.process = begin();
    }

    private Process begin() {
        List<String> command = List.of(
                "nats-server", "-a", "127.0.0.1", "-p", Integer.toString(port), "-m", Integer.toString(monitor));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new LoadFailure(
                    "nats-server cannot be run (" + e.getMessage() + "); install it, on Debian or Ubuntu with"
                            + " apt-get install nats-server",
                    e);
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    int monitor() {
        return monitor;
    }

    /** Starts it anew after {@link #kill}. */
    void start() {
        process = begin();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

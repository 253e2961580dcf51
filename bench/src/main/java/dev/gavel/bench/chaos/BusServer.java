package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A NATS server on a port of its own. Once closed it is not started again. Thread-safe. */
public final class BusServer implements AutoCloseable {
    private final Path log;
    private final int port;
    private final int monitor;
    private @Nullable Process process;
    private boolean closed;

    /** One that does not run yet. */
    BusServer(Path directory, int port, int monitor) {
        this.log = directory.resolve("nats.log");
        this.port = port;
        this.monitor = monitor;
    }

    /**
     * A server's file: {@code NATS_SERVER}, or what is installed, also where {@code sbin} is not on the PATH.
     *
     * @param environment gives a variable's value; null where it is not set
     */
    public static String program(UnaryOperator<@Nullable String> environment) {
        Optional<String> named = set(environment, "NATS_SERVER");
        if (named.isPresent()) {
            return named.get();
        }
        Stream<String> folders = Stream.concat(
                Stream.of(set(environment, "PATH").orElse("").split(":", -1)),
                Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"));
        return folders.filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "nats-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new LoadFailure("nats-server is not installed; install it (Debian and Ubuntu:"
                        + " apt-get install nats-server), or name its file in NATS_SERVER"))
                .toString();
    }

    private static Optional<String> set(UnaryOperator<@Nullable String> environment, String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    /** Starts it, for the first time or after {@link #kill}. */
    synchronized void start() {
        if (closed) {
            throw new LoadFailure("NATS is not started: the run is over");
        }
        String program = program(System::getenv);
        List<String> command =
                List.of(program, "-a", "127.0.0.1", "-p", Integer.toString(port), "-m", Integer.toString(monitor));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new LoadFailure(program + " cannot be run: " + e.getMessage(), e);
        }
    }

    private synchronized Process running() {
        if (process == null) {
            throw new IllegalStateException("NATS was not started");
        }
        return process;
    }

    ProcessHandle process() {
        return running().toHandle();
    }

    int monitor() {
        return monitor;
    }

    void kill() throws InterruptedException {
        running().destroyForcibly().waitFor();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            Node.end(process);
        }
    }
}

package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts, kills and restarts the NATS server of a {@link GatewayCluster} on a fixed port. Once closed it is not started
 * again. Thread-safe.
 */
public final class ClusterNats implements AutoCloseable {
    private final Path log;
    private final int port;
    private final int monitor;
    private @Nullable Process process;
    private boolean closed;

    /** Creates a server that does not run yet. */
    ClusterNats(Path directory, int port, int monitor) {
        this.log = directory.resolve("nats.log");
        this.port = port;
        this.monitor = monitor;
    }

    /**
     * The path of the server program: {@code NATS_SERVER}, or the installed one, even if {@code sbin} is not on the
     * PATH.
     *
     * @param environment returns a variable's value; null if it is not set
     */
    public static String findProgram(UnaryOperator<@Nullable String> environment) {
        Optional<String> named = variable(environment, "NATS_SERVER");
        if (named.isPresent()) {
            return named.get();
        }
        Stream<String> folders = Stream.concat(
                Stream.of(variable(environment, "PATH").orElse("").split(":", -1)),
                Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"));
        return folders.filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "nats-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new RunFailedException("nats-server was not found. Install it (Debian and Ubuntu:"
                        + " apt-get install nats-server), or set NATS_SERVER to its path"))
                .toString();
    }

    private static Optional<String> variable(UnaryOperator<@Nullable String> environment, String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    /** Starts it, for the first time or after {@link #kill}. */
    public synchronized void start() {
        if (closed) {
            throw new RunFailedException("NATS was not started: the run is ending");
        }
        String program = findProgram(System::getenv);
        List<String> command =
                List.of(program, "-a", "127.0.0.1", "-p", Integer.toString(port), "-m", Integer.toString(monitor));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new RunFailedException("cannot run " + program + ": " + e.getMessage(), e);
        }
    }

    private synchronized Process requireProcess() {
        if (process == null) {
            throw new IllegalStateException("NATS was not started");
        }
        return process;
    }

    ProcessHandle process() {
        return requireProcess().toHandle();
    }

    int monitorPort() {
        return monitor;
    }

    public void kill() throws InterruptedException {
        requireProcess().destroyForcibly().waitFor();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            ClusterGatewayProcess.killAndWait(process);
        }
    }
}

package dev.gavel.gateway.bus.nats;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a real {@code nats-server} process on a free local port, for tests that kill, restart or pause it. It restarts
 * on the same port. Not thread-safe.
 */
public final class NatsServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int port;
    private final List<String> options;
    private Process process;

    /** Starts a server with further command line options. */
    public NatsServer(String... options) {
        this.port = freePort();
        this.options = List.of(options);
        this.process = launch();
    }

    /**
     * Returns the server's executable: {@code NATS_SERVER}, or an installed one, even if {@code sbin} is not on the
     * PATH.
     */
    private static String program() {
        Optional<String> named =
                Optional.ofNullable(System.getenv("NATS_SERVER")).filter(it -> !it.isBlank());
        if (named.isPresent()) {
            return named.get();
        }
        Stream<String> folders = Stream.concat(
                Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1)),
                Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"));
        return folders.filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "nats-server"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "nats-server is not installed (Debian and Ubuntu: apt-get install nats-server);"
                                + " ./check does so where it may"))
                .toString();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(program(), "-a", "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(options);
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!isListening()) {
                if (!started.isAlive() || System.nanoTime() > end) {
                    started.destroyForcibly();
                    throw new IllegalStateException("nats-server does not listen: " + command);
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public URI uri() {
        return URI.create("nats://127.0.0.1:" + port);
    }

    /** Kills the process, as if the machine had failed. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Restarts it on the same port. */
    public void restart() {
        kill();
        process = launch();
    }

    /** Suspends the process: connections stay open, and nothing is answered. Returns when all its threads stand still. */
    public void pause() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        if (Files.isDirectory(threads)) {
            await().atMost(PATIENCE).until(() -> areStopped(threads));
        }
    }

    private static boolean areStopped(Path threads) throws IOException {
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : each.toList()) {
                String state = Files.readString(thread.resolve("stat"));
                if (!state.substring(state.lastIndexOf(')')).startsWith(") T")) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Resumes the process. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " failed: " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}

package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One gateway process of a {@link GatewayCluster}, which can be killed, drained, paused and restarted on the same port.
 * Once closed it is not started again. One thread at a time starts and ends it; any thread may close or query it.
 */
public final class ClusterGatewayProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    /** How long a supervisor waits before it restarts a gateway. */
    private static final long AGAIN_MILLIS = 300;

    /** The exit code of a gateway that cannot start, for example because the database is unavailable. */
    private static final int EXIT_CANNOT_START = 2;

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

    /** The exit codes of {@code env} if the program does not exist, for example because it was not built. */
    private static final Set<Integer> EXIT_CANNOT_RUN = Set.of(126, 127);

    /** Log messages of unexpected exceptions: in a thread, in an event loop's task, in a command. */
    private static final List<String> ERROR_MARKERS =
            List.of("Exception in thread", "A task raised an exception", "internal error");

    private final String name;
    private final Path log;
    private final InetSocketAddress address;
    private final List<String> command;
    private final Map<String, String> environment;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(SOON)
            .build();
    private volatile @Nullable Process process;
    private volatile boolean up;
    private boolean closed;
    private final Queue<String> unexpectedExits = new ConcurrentLinkedQueue<>();

    /**
     * Creates a gateway that does not run yet.
     *
     * @param gavel the command that runs the program, without its arguments
     */
    ClusterGatewayProcess(
            String name,
            Path directory,
            int port,
            List<String> gavel,
            Path configuration,
            Map<String, String> environment) {
        this.name = name;
        this.log = directory.resolve(name + ".log");
        this.address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
        this.command = new ArrayList<>(gavel);
        this.environment = Map.copyOf(environment);
        command.addAll(List.of(
                "serve",
                "--config",
                configuration.toString(),
                "--listen",
                "127.0.0.1:" + port,
                "--data",
                directory.resolve(name).toString()));
    }

    public String name() {
        return name;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Whether it runs undisturbed. */
    public boolean isUp() {
        return up;
    }

    /** Starts it, and returns when it listens. */
    public void start() throws IOException, InterruptedException {
        launch();
        awaitListening();
    }

    /** Starts it; {@link #awaitListening} waits for it. */
    synchronized void launch() throws IOException {
        if (closed) {
            throw new RunFailedException(name + " was not started: the run is ending");
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /** Waits until it listens; restarts it if it ends instead, as a supervisor does. */
    void awaitListening() throws InterruptedException, IOException {
        long end = System.nanoTime() + START.toNanos();
        while (httpStatus("/health/live") != 200 || !requireProcess().isAlive()) {
            if (System.nanoTime() > end) {
                throw new RunFailedException(name + " did not start. Its log:\n" + Files.readString(log));
            }
            if (requireProcess().isAlive()) {
                Thread.sleep(LOOK_MILLIS);
            } else {
                int code = requireProcess().exitValue();
                if (EXIT_CANNOT_RUN.contains(code)) {
                    throw new RunFailedException(
                            name + " cannot be run: " + String.join(" ", command) + "\n" + Files.readString(log));
                }
                if (code != EXIT_CANNOT_START) {
                    unexpectedExits.add(name + " ended with exit code " + code + " during its start");
                }
                Thread.sleep(AGAIN_MILLIS);
                launch();
            }
        }
        up = true;
    }

    /** The unexpected exits during starts, and the log messages about internal errors. */
    public List<String> unexpectedErrors() throws IOException {
        List<String> complaints = new ArrayList<>(unexpectedExits);
        Files.readAllLines(log).stream()
                .filter(line -> ERROR_MARKERS.stream().anyMatch(line::contains))
                .map(line -> name + " logged: " + line)
                .forEach(complaints::add);
        return complaints;
    }

    private Process requireProcess() {
        Process started = process;
        if (started == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return started;
    }

    /** The id of the process that runs, or that ran last. */
    public long pid() {
        return requireProcess().pid();
    }

    ProcessHandle process() {
        return requireProcess().toHandle();
    }

    public void kill() throws InterruptedException {
        up = false;
        requireProcess().destroyForcibly().waitFor();
    }

    /** Stops it gracefully and waits for its end; returns its exit code, or empty if it had to be killed. */
    public OptionalInt drain() throws InterruptedException {
        up = false;
        requireProcess().destroy();
        if (requireProcess().waitFor(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            return OptionalInt.of(requireProcess().exitValue());
        }
        kill();
        return OptionalInt.empty();
    }

    /** Suspends the process, as a busy machine does. */
    public void pause() throws IOException, InterruptedException {
        up = false;
        sendSignal("-STOP");
    }

    public void resume() throws IOException, InterruptedException {
        sendSignal("-CONT");
        up = true;
    }

    private void sendSignal(String which) throws IOException, InterruptedException {
        ExternalCommand.run(
                List.of("kill", which, Long.toString(requireProcess().pid())));
    }

    /** The live heap in bytes, after a garbage collection. */
    public long heapBytes() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Matcher total = TOTAL.matcher(
                ExternalCommand.run(List.of(jcmd, Long.toString(requireProcess().pid()), "GC.class_histogram")));
        if (!total.find()) {
            throw new RunFailedException("jcmd did not report the heap");
        }
        return Long.parseLong(total.group(1));
    }

    /** The HTTP status of a path; 0 if there is no response. */
    int httpStatus(String path) {
        return httpGet("nobody", path).map(HttpResponse::statusCode).orElse(0);
    }

    /** The response to an identity; empty if there is none. */
    public Optional<HttpResponse<String>> httpGet(String identity, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .header("Authorization", "Bearer " + GavelConfigBuilder.token(identity))
                .timeout(SOON)
                .build();
        try {
            return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        up = false;
        Process started = process;
        if (started != null) {
            killAndWait(started);
        }
    }

    /** Kills a process and waits for its end, even if this thread is interrupted. */
    static void killAndWait(Process process) {
        process.destroyForcibly()
                .onExit()
                .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> process)
                .join();
    }

    @Override
    public String toString() {
        return name;
    }
}

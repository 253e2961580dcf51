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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One gateway process of a {@link GatewayCluster}, which can be killed, drained, paused and restarted on the same port.
 * Once closed it is not started again. Started and ended by one thread at a time; closed and asked by any.
 */
public final class ClusterGatewayProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    /** So long whatever supervises a gateway waits before it starts it again. */
    private static final long AGAIN_MILLIS = 300;

    /** What a gateway ends with that finds at its start that it cannot work, as while the database is away. */
    private static final int EXIT_CANNOT_START = 2;

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

    /** Exceptions that nobody expected: of a thread, of an event loop's task, of a command. */
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
     * A gateway that does not run yet.
     *
     * @param gavel the command that runs the program, up to its arguments
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

    /** Whether it runs, and nobody has done anything to it. */
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
            throw new RunFailedException(name + " is not started: the run is over");
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /** Waits until it listens; where it ends instead it is begun again, as whatever supervises a gateway does. */
    void awaitListening() throws InterruptedException, IOException {
        long end = System.nanoTime() + START.toNanos();
        while (httpStatus("/health/live") != 200 || !requireProcess().isAlive()) {
            if (System.nanoTime() > end) {
                throw new RunFailedException(name + " does not listen; it said:\n" + Files.readString(log));
            }
            if (requireProcess().isAlive()) {
                Thread.sleep(LOOK_MILLIS);
            } else {
                int code = requireProcess().exitValue();
                if (code != EXIT_CANNOT_START) {
                    unexpectedExits.add(name + " ended with " + code + " at its start");
                }
                Thread.sleep(AGAIN_MILLIS);
                launch();
            }
        }
        up = true;
    }

    /** What it ended with at a start though it had not given up, and what it says of its own mistakes only. */
    public List<String> unexpectedErrors() throws IOException {
        List<String> complaints = new ArrayList<>(unexpectedExits);
        Files.readAllLines(log).stream()
                .filter(line -> ERROR_MARKERS.stream().anyMatch(line::contains))
                .map(line -> name + " said: " + line)
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

    ProcessHandle process() {
        return requireProcess().toHandle();
    }

    public void kill() throws InterruptedException {
        up = false;
        requireProcess().destroyForcibly().waitFor();
    }

    /** Asks it to end, and waits until it has; gives what it ended with, or nothing where it did not by itself. */
    public OptionalInt drain() throws InterruptedException {
        up = false;
        requireProcess().destroy();
        if (requireProcess().waitFor(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            return OptionalInt.of(requireProcess().exitValue());
        }
        kill();
        return OptionalInt.empty();
    }

    /** Stops it in its tracks, as a machine does that has something else to do. */
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

    /** What is alive in its heap, in bytes: counting collects it first. */
    public long heapBytes() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Matcher total = TOTAL.matcher(
                ExternalCommand.run(List.of(jcmd, Long.toString(requireProcess().pid()), "GC.class_histogram")));
        if (!total.find()) {
            throw new RunFailedException("jcmd did not say what is in the heap");
        }
        return Long.parseLong(total.group(1));
    }

    /** The status of a path; 0 where there is no answer. */
    int httpStatus(String path) {
        return httpGet("nobody", path).map(HttpResponse::statusCode).orElse(0);
    }

    /** What it answers an identity; nothing where it does not answer. */
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

    /** Kills a process and waits until it is gone, whoever wants this thread to stop meanwhile. */
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

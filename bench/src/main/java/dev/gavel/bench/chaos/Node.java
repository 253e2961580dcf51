package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Setting;
import dev.gavel.bench.reliability.Tool;
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
 * One gateway process of several: always on the same port, and its log is kept. Once closed it is not started again.
 * Started and ended by one thread at a time; closed and asked by any.
 */
public final class Node implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    /** So long whatever supervises a gateway waits before it starts it again. */
    private static final long AGAIN_MILLIS = 300;

    /** What a gateway ends with that finds at its start that it cannot work, as while the database is away. */
    private static final int GAVE_UP = 2;

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

    /** Exceptions that nobody expected: of a thread, of an event loop's task, of a command. */
    private static final List<String> CONFESSIONS =
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
    private final Queue<String> oddEnds = new ConcurrentLinkedQueue<>();

    /**
     * A gateway that does not run yet.
     *
     * @param gavel the command that runs the program, up to its arguments
     */
    Node(
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
    boolean isUp() {
        return up;
    }

    /** Starts it, and returns when it listens. */
    void start() throws IOException, InterruptedException {
        begin();
        awaitListening();
    }

    /** Starts it; {@link #awaitListening} waits for it. */
    synchronized void begin() throws IOException {
        if (closed) {
            throw new LoadFailure(name + " is not started: the run is over");
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
        while (get("/health/live") != 200 || !running().isAlive()) {
            if (System.nanoTime() > end) {
                throw new LoadFailure(name + " does not listen; it said:\n" + Files.readString(log));
            }
            if (running().isAlive()) {
                Thread.sleep(LOOK_MILLIS);
            } else {
                int code = running().exitValue();
                if (code != GAVE_UP) {
                    oddEnds.add(name + " ended with " + code + " at its start");
                }
                Thread.sleep(AGAIN_MILLIS);
                begin();
            }
        }
        up = true;
    }

    /** What it ended with at a start though it had not given up, and what it says of its own mistakes only. */
    List<String> complaints() throws IOException {
        List<String> complaints = new ArrayList<>(oddEnds);
        Files.readAllLines(log).stream()
                .filter(line -> CONFESSIONS.stream().anyMatch(line::contains))
                .map(line -> name + " said: " + line)
                .forEach(complaints::add);
        return complaints;
    }

    private Process running() {
        Process started = process;
        if (started == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return started;
    }

    ProcessHandle process() {
        return running().toHandle();
    }

    void kill() throws InterruptedException {
        up = false;
        running().destroyForcibly().waitFor();
    }

    /** Asks it to end, and waits until it has; gives what it ended with, or nothing where it did not by itself. */
    OptionalInt drain() throws InterruptedException {
        up = false;
        running().destroy();
        if (running().waitFor(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            return OptionalInt.of(running().exitValue());
        }
        kill();
        return OptionalInt.empty();
    }

    /** Stops it in its tracks, as a machine does that has something else to do. */
    void pause() throws IOException, InterruptedException {
        up = false;
        signal("-STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
        up = true;
    }

    private void signal(String which) throws IOException, InterruptedException {
        Tool.run(List.of("kill", which, Long.toString(running().pid())));
    }

    /** What is alive in its heap, in bytes: counting collects it first. */
    public long heap() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Matcher total =
                TOTAL.matcher(Tool.run(List.of(jcmd, Long.toString(running().pid()), "GC.class_histogram")));
        if (!total.find()) {
            throw new LoadFailure("jcmd did not say what is in the heap");
        }
        return Long.parseLong(total.group(1));
    }

    /** The status of a path; 0 where there is no answer. */
    int get(String path) {
        return ask("nobody", path).map(HttpResponse::statusCode).orElse(0);
    }

    /** What it answers an identity; nothing where it does not answer. */
    public Optional<HttpResponse<String>> ask(String identity, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .header("Authorization", "Bearer " + Setting.token(identity))
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
            end(started);
        }
    }

    /** Kills a process and waits until it is gone, whoever wants this thread to stop meanwhile. */
    static void end(Process process) {
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

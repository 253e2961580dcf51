package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a server under test as a separate process, waits until it listens, and keeps its last lines of output.
 * Thread-safe.
 */
public final class ServerProcess implements AutoCloseable {
    private static final String READY = "listening on ";
    private static final int LINES_KEPT = 20;
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final Deque<String> outputLines = new ArrayDeque<>();

    private ServerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** Starts a process; {@link #awaitAddress(Duration)} waits for it. */
    static ServerProcess start(String name, List<String> command) {
        return start(name, command, Map.of());
    }

    /** Starts a process with additional environment variables. */
    static ServerProcess start(String name, List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            ServerProcess server = new ServerProcess(name, process);
            // Reads to the end; otherwise a server with much output would block at a full pipe.
            Thread.ofVirtual().name(name + " output").start(server::readOutput);
            return server;
        } catch (IOException e) {
            throw new RunFailedException(name + " did not start: " + e.getMessage(), e);
        }
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(this::onOutputLine);
        } catch (IOException | UncheckedIOException e) {
            onOutputLine("cannot read the output: " + e.getMessage());
        } finally {
            address.completeExceptionally(new IOException("the process ended"));
        }
    }

    private void onOutputLine(String line) {
        synchronized (outputLines) {
            outputLines.add(line);
            if (outputLines.size() > LINES_KEPT) {
                outputLines.remove();
            }
        }
        int at = line.indexOf(READY);
        if (at >= 0 && !address.isDone()) {
            try {
                URI uri = URI.create(line.substring(at + READY.length()).strip().split("\\s", 2)[0]);
                address.complete(new InetSocketAddress(InetAddress.ofLiteral(uri.getHost()), uri.getPort()));
            } catch (IllegalArgumentException e) {
                address.completeExceptionally(e);
            }
        }
    }

    /** Waits until the server listens and returns its address. */
    public InetSocketAddress awaitAddress(Duration timeout) throws InterruptedException {
        try {
            return address.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            String reason = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
            throw new RunFailedException(name + " did not start" + reason + ". " + outputTail(), e);
        }
    }

    /** The last lines of the server's output, for a message. */
    public String outputTail() {
        synchronized (outputLines) {
            return outputLines.isEmpty()
                    ? name + " printed nothing."
                    : "Output of " + name + ":\n" + String.join("\n", outputLines);
        }
    }

    public String name() {
        return name;
    }

    public CpuTimeSnapshot cpuTime() {
        return CpuTimeSnapshot.of(process.toHandle());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Kills the process, and returns when it has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks the process and its descendants to end, and kills them after a moment. */
    @Override
    public void close() {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        all.forEach(ProcessHandle::destroy);
        try {
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}

package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an MCP server as a child process and exchanges messages with it over standard input and output. It logs and
 * skips lines that are not messages, and logs the server's standard error. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the end of a process is handled by a callback
public final class StdioTransport implements McpTransport {
    private static final Logger log = LoggerFactory.getLogger(StdioTransport.class);
    private static final int MAX_LOG_LINE_LENGTH = 2000;
    private static final long MAX_OUTGOING_BYTES = 64L * 1024 * 1024;

    /** How long the process may take to exit by itself, and again after a signal. */
    private static final long EXIT_TIMEOUT_MILLIS = 2_000;

    private final String name;
    private final ServerLaunchConfig serverLaunchConfig;
    private final ServerMessageReader messageReader;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Deque<byte[]> outgoing = new ArrayDeque<>();
    private long outgoingBytes;
    private boolean closing;
    private @Nullable Process process;
    private final Set<ProcessHandle> children = new LinkedHashSet<>();
    private boolean childrenRecorded;

    /** Used only by the reader thread. */
    private final ServerOutputLogLimiter malformedLogLimiter = new ServerOutputLogLimiter();

    /**
     * Creates a transport whose server is not started yet.
     *
     * @param name prefixes the server's lines in the log
     * @param maxMessageBytes the maximum length of a message of the server
     */
    public StdioTransport(String name, ServerLaunchConfig serverLaunchConfig, int maxMessageBytes) {
        this.name = name;
        this.serverLaunchConfig = serverLaunchConfig;
        this.messageReader = new ServerMessageReader(maxMessageBytes);
    }

    @Override
    public void open(Receiver receiver) throws IOException {
        Process started;
        try {
            started = serverLaunchConfig.processBuilder().start();
        } catch (IOException e) {
            throw new IOException(
                    "cannot start '" + serverLaunchConfig.command().getFirst() + "': " + startFailureReason(e), e);
        }
        synchronized (this) {
            process = started;
        }
        // Reading a pipe blocks the carrier thread even of a virtual thread, which would delay other virtual threads.
        Thread.Builder threads = Thread.ofPlatform().daemon();
        threads.name("bridge " + name + " in").start(() -> read(started, receiver));
        threads.name("bridge " + name + " out").start(() -> write(started.getOutputStream()));
        threads.name("bridge " + name + " log").start(() -> log(started.getErrorStream()));
        // A child of the process may keep its output open after the process has exited.
        started.onExit()
                .thenRunAsync(
                        () -> onProcessEnd(started, receiver),
                        CompletableFuture.delayedExecutor(EXIT_TIMEOUT_MILLIS / 2, TimeUnit.MILLISECONDS));
    }

    private void onProcessEnd(Process serverProcess, Receiver receiver) {
        if (closed.compareAndSet(false, true)) {
            receiver.onClose(endReason(serverProcess));
        }
    }

    private String startFailureReason(IOException e) {
        String reason = String.valueOf(e.getMessage());
        // The JDK puts the cause last: "Cannot run program "x": ... error=2, No such file or directory".
        int detail = reason.indexOf("Exec failed, error: ");
        if (reason.contains("No such file or directory")) {
            return "the program was not found"
                    + serverLaunchConfig
                            .directory()
                            .map(path -> ", or the directory " + path + " does not exist")
                            .orElse("")
                    + "; check that the program is installed and in PATH";
        }
        return detail < 0 ? reason : reason.substring(detail);
    }

    @Override
    public void send(RpcMessage message) throws IOException {
        byte[] line = message.bytes();
        synchronized (this) {
            if (closing || closed.get()) {
                throw new IOException("the server has ended");
            }
            if (!outgoing.isEmpty() && outgoingBytes + line.length > MAX_OUTGOING_BYTES) {
                throw new IOException("the server does not read its input, and the queue is full");
            }
            outgoing.add(line);
            outgoingBytes += line.length;
            notifyAll();
        }
    }

    private void write(OutputStream out) {
        try (out) {
            for (byte[] line = nextOutgoing(); line != null; line = nextOutgoing()) {
                out.write(line);
                out.write('\n');
                if (isQueueEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The reader thread notices and reports the end of the process.
            log.debug("Bridge {}: cannot write to the server: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized byte @Nullable [] nextOutgoing() throws InterruptedException {
        while (outgoing.isEmpty() && !closing) {
            wait();
        }
        byte[] line = outgoing.poll();
        outgoingBytes -= line == null ? 0 : line.length;
        return line;
    }

    private synchronized boolean isQueueEmpty() {
        return outgoing.isEmpty();
    }

    private void read(Process serverProcess, Receiver receiver) {
        try (InputStream in = serverProcess.getInputStream()) {
            BoundedLineReader boundedLineReader = new BoundedLineReader(in, messageReader.maxLength());
            for (BoundedLineReader.Line line = boundedLineReader.next();
                    line != null;
                    line = boundedLineReader.next()) {
                handleLine(line, receiver);
            }
        } catch (IOException e) {
            log.debug("Bridge {}: cannot read from the server: {}", name, e.getMessage());
        }
        onProcessEnd(serverProcess, receiver);
    }

    private void handleLine(BoundedLineReader.Line line, Receiver receiver) {
        recordChildren();
        if (line.length() == 0) {
            return;
        }
        ServerMessage serverMessage = line.isComplete()
                ? messageReader.read(line.bytes())
                : messageReader.tooLong(line.scanner(), line.length());
        switch (serverMessage) {
            case ServerMessage.Received(RpcMessage message) -> receiver.onMessage(message);
            case ServerMessage.UnreadableResponse unreadable -> {
                receiver.onUndeliverable(unreadable.problem());
                receiver.onMessage(unreadable.toError());
            }
            case ServerMessage.Unreadable(boolean _, String problem) -> {
                if (!line.isComplete()) {
                    receiver.onUndeliverable(problem);
                } else if (malformedLogLimiter.tryAcquire()) {
                    logDropped(malformedLogLimiter);
                    log.warn(
                            "Bridge {}: ignoring a line of the server that is not an MCP message ({}): {}",
                            name,
                            problem,
                            printable(line.bytes(), 200));
                }
            }
        }
    }

    /** Returns why the output ended. The process is about to exit; if it does not, it is of no more use. */
    private static String endReason(Process process) {
        try {
            if (process.waitFor(EXIT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                int code = process.exitValue();
                return code > 128 && code < 160
                        ? "the server was terminated by signal " + (code - 128)
                        : "the server ended with exit code " + code;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "the server closed its output";
    }

    private void log(InputStream err) {
        ServerOutputLogLimiter serverOutputLogLimiter = new ServerOutputLogLimiter();
        try (err) {
            BoundedLineReader boundedLineReader = new BoundedLineReader(err, 64 * 1024);
            for (BoundedLineReader.Line line = boundedLineReader.next();
                    line != null;
                    line = boundedLineReader.next()) {
                if (line.length() > 0 && serverOutputLogLimiter.tryAcquire()) {
                    logDropped(serverOutputLogLimiter);
                    log.info("Bridge {}: {}", name, printable(line.bytes(), MAX_LOG_LINE_LENGTH));
                }
            }
            logDropped(serverOutputLogLimiter);
        } catch (IOException e) {
            log.debug("Bridge {}: cannot read the standard error of the server: {}", name, e.getMessage());
        }
    }

    private void logDropped(ServerOutputLogLimiter serverOutputLogLimiter) {
        long count = serverOutputLogLimiter.drainDroppedCount();
        if (count > 0) {
            log.info("Bridge {}: {} lines of the server were not logged.", name, count);
        }
    }

    /**
     * Removes control characters, so that a server's output cannot control the terminal of a person who reads the log.
     */
    private static String printable(byte[] bytes, int maxLength) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String truncated = text.length() > maxLength ? text.substring(0, maxLength) + "..." : text;
        return truncated.replaceAll("\\e\\[[0-9;?]*[A-Za-z]", "").replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public void close() {
        closed.set(true);
        Process serverProcess;
        synchronized (this) {
            closing = true;
            outgoing.clear();
            outgoingBytes = 0;
            notifyAll();
            serverProcess = process;
        }
        if (serverProcess != null) {
            terminate(serverProcess);
        }
    }

    /**
     * Records the child processes while their parent runs. After its exit, they cannot be attributed to it any more.
     */
    private synchronized void recordChildren() {
        if (process != null && !childrenRecorded) {
            childrenRecorded = true;
            process.descendants().forEach(children::add);
        }
    }

    /**
     * Ends the process, whose input is closed by now or soon: waits, then terminates it, then kills it. Does the same
     * with its child processes.
     */
    private void terminate(Process serverProcess) {
        Set<ProcessHandle> all;
        synchronized (this) {
            all = new LinkedHashSet<>(children);
        }
        serverProcess.descendants().forEach(all::add);
        if (!awaitExit(serverProcess.onExit())) {
            serverProcess.descendants().forEach(all::add);
            serverProcess.destroy();
            if (!awaitExit(serverProcess.onExit())) {
                serverProcess.descendants().forEach(all::add);
                serverProcess.destroyForcibly();
            }
        }
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle child : all) {
            if (!awaitExit(child.onExit())) {
                child.destroyForcibly();
            }
        }
        awaitExit(serverProcess.onExit());
    }

    private static boolean awaitExit(CompletableFuture<?> exit) {
        try {
            exit.get(EXIT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return exit.isDone();
        }
    }
}

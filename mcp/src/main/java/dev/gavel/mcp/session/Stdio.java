package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MCP server as a process of ours: a line is a message. What is no message is logged and passed over; what it writes to
 * its standard error goes to the log. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // that a process ended is heard, not waited for
public final class Stdio implements Transport {
    private static final Logger log = LoggerFactory.getLogger(Stdio.class);
    private static final int LONGEST_LOG_LINE = 2000;
    private static final long MOST_WAITING_BYTES = 64L * 1024 * 1024;

    /** How long the process has to end by itself, and again when it is told to. */
    private static final long PATIENCE_MILLIS = 2_000;

    /** Where an id stands in what most servers write: right at the beginning, or as the last thing. */
    private static final Pattern ID_FIRST =
            Pattern.compile("^\\{\"jsonrpc\":\\s*\"2\\.0\",\\s*\"id\":\\s*(\\d{1,18}|\"[^\"\\\\]{1,64}\")\\s*,");

    private static final Pattern ID_LAST =
            Pattern.compile("[,}\\]]\\s*\"id\":\\s*(\\d{1,18}|\"[^\"\\\\]{1,64}\")\\s*}\\s*$");

    private final String name;
    private final Launch launch;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean ending;
    private @Nullable Process process;
    private final Set<ProcessHandle> children = new LinkedHashSet<>();
    private boolean noted;

    /** Only the thread that reads uses it. */
    private final Pace oddities = new Pace();

    /**
     * A server that is yet to be started.
     *
     * @param name stands before its lines in the log
     */
    public Stdio(String name, Launch launch) {
        this.name = name;
        this.launch = launch;
    }

    @Override
    public void open(Receiver to) throws IOException {
        Process started;
        try {
            started = launch.builder().start();
        } catch (IOException e) {
            throw new IOException("'" + launch.command().getFirst() + "' cannot be started: " + reason(e), e);
        }
        synchronized (this) {
            process = started;
        }
        // Reading a pipe holds the thread it is done on, a virtual one too: these would hold up others.
        Thread.Builder threads = Thread.ofPlatform().daemon();
        threads.name("bridge " + name + " in").start(() -> read(started, to));
        threads.name("bridge " + name + " out").start(() -> write(started.getOutputStream()));
        threads.name("bridge " + name + " log").start(() -> log(started.getErrorStream()));
        // Something that it started may keep its output open after it has ended.
        started.onExit()
                .thenRunAsync(
                        () -> lost(started, to),
                        CompletableFuture.delayedExecutor(PATIENCE_MILLIS / 2, TimeUnit.MILLISECONDS));
    }

    private void lost(Process from, Receiver to) {
        if (over.compareAndSet(false, true)) {
            to.lost(ended(from));
        }
    }

    private String reason(IOException e) {
        String why = String.valueOf(e.getMessage());
        // The JDK says what went wrong last: "Cannot run program "x": ... error=2, No such file or directory".
        int detail = why.indexOf("Exec failed, error: ");
        if (why.contains("No such file or directory")) {
            return "there is no such program"
                    + launch.directory()
                            .map(path -> ", or no directory " + path)
                            .orElse("")
                    + "; is it installed, and in PATH?";
        }
        return detail < 0 ? why : why.substring(detail);
    }

    @Override
    public void send(Message message) throws IOException {
        byte[] line = message.bytes();
        synchronized (this) {
            if (ending || over.get()) {
                throw new IOException("the server has ended");
            }
            if (!waiting.isEmpty() && waitingBytes + line.length > MOST_WAITING_BYTES) {
                throw new IOException("the server does not read what it is sent; more does not fit");
            }
            waiting.add(line);
            waitingBytes += line.length;
            notifyAll();
        }
    }

    private void write(OutputStream out) {
        try (out) {
            for (byte[] line = next(); line != null; line = next()) {
                out.write(line);
                out.write('\n');
                if (idle()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // Its end is noticed where it is read from, and said there.
            log.debug("bridge {}: cannot be written to: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized byte @Nullable [] next() throws InterruptedException {
        while (waiting.isEmpty() && !ending) {
            wait();
        }
        byte[] line = waiting.poll();
        waitingBytes -= line == null ? 0 : line.length;
        return line;
    }

    private synchronized boolean idle() {
        return waiting.isEmpty();
    }

    private void read(Process from, Receiver to) {
        try (InputStream in = from.getInputStream()) {
            Lines lines = new Lines(in, MessageReader.USUAL.longest());
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                take(line, to);
            }
        } catch (IOException e) {
            log.debug("bridge {}: cannot be read from: {}", name, e.getMessage());
        }
        lost(from, to);
    }

    private void take(Lines.Line line, Receiver to) {
        noteChildren();
        if (!line.whole()) {
            tooLong(line, to);
        } else if (line.bytes().length > 0) {
            switch (Message.read(line.bytes())) {
                case Message message -> to.received(message);
                case Malformed malformed -> {
                    if (oddities.take()) {
                        tellLeftOut(oddities);
                        log.warn(
                                "bridge {}: wrote a line that is no MCP message, which is passed over ({}): {}",
                                name,
                                malformed.why(),
                                printable(line.bytes(), 200));
                    }
                }
            }
        }
    }

    /** Whoever waits for an answer that does not fit is told so, where it can be seen whose it is. */
    private void tooLong(Lines.Line line, Receiver to) {
        Optional<String> id = id(new String(line.bytes(), StandardCharsets.UTF_8));
        String problem = "the server wrote a line of " + line.length() + " bytes; at most "
                + MessageReader.USUAL.longest() + " are taken";
        log.warn("bridge {}: {}; it is passed over", name, problem);
        id.ifPresent(answered -> to.received(RpcError.UNSENDABLE.failure(answered, problem)));
    }

    private static Optional<String> id(String text) {
        for (Pattern pattern : List.of(ID_FIRST, ID_LAST)) {
            Matcher matcher = pattern.matcher(text);
            if (matcher.find()) {
                return Optional.ofNullable(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    /** Reading ended, so the process is about to; if it stays all the same, it is of no more use. */
    private static String ended(Process process) {
        try {
            if (process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                int code = process.exitValue();
                return code > 128 && code < 160
                        ? "the server was ended by signal " + (code - 128)
                        : "the server ended with exit code " + code;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "the server closed its output";
    }

    private void log(InputStream err) {
        Pace pace = new Pace();
        try (err) {
            Lines lines = new Lines(err, 64 * 1024);
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                if (line.length() > 0 && pace.take()) {
                    tellLeftOut(pace);
                    log.info("bridge {}: {}", name, printable(line.bytes(), LONGEST_LOG_LINE));
                }
            }
            tellLeftOut(pace);
        } catch (IOException e) {
            log.debug("bridge {}: its log cannot be read: {}", name, e.getMessage());
        }
    }

    private void tellLeftOut(Pace pace) {
        long count = pace.leftOut();
        if (count > 0) {
            log.info("bridge {}: {} lines left out", name, count);
        }
    }

    /** A stranger's line is not to move the cursor of whoever reads the log. */
    private static String printable(byte[] bytes, int most) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String shown = text.length() > most ? text.substring(0, most) + "..." : text;
        return shown.replaceAll("\\e\\[[0-9;?]*[A-Za-z]", "").replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public void close() {
        over.set(true);
        Process last;
        synchronized (this) {
            ending = true;
            waiting.clear();
            waitingBytes = 0;
            notifyAll();
            last = process;
        }
        if (last != null) {
            end(last);
        }
    }

    /** Whom it started is asked while it lives: afterwards nobody knows any more whose they were. */
    private synchronized void noteChildren() {
        if (process != null && !noted) {
            noted = true;
            process.descendants().forEach(children::add);
        }
    }

    /** Its input is closed by now, or soon; then it is asked to end, then made to, and whatever it started too. */
    private void end(Process last) {
        Set<ProcessHandle> all;
        synchronized (this) {
            all = new LinkedHashSet<>(children);
        }
        last.descendants().forEach(all::add);
        if (!ends(last.onExit())) {
            last.descendants().forEach(all::add);
            last.destroy();
            if (!ends(last.onExit())) {
                last.descendants().forEach(all::add);
                last.destroyForcibly();
            }
        }
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle child : all) {
            if (!ends(child.onExit())) {
                child.destroyForcibly();
            }
        }
        ends(last.onExit());
    }

    private static boolean ends(CompletableFuture<?> exit) {
        try {
            exit.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return exit.isDone();
        }
    }
}

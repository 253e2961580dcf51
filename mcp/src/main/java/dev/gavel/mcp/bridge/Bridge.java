package dev.gavel.mcp.bridge;

import dev.gavel.mcp.session.Session;
import dev.gavel.mcp.session.Transport;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MCP server as a participant of a topic: started, kept running, and in the topic while it is up. {@link #start} begins
 * and returns at once; {@link #close} ends it and its server. Thread-safe.
 */
public final class Bridge implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** Long, because {@code npx} may have to download the server first. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private final String topic;
    private final Supplier<Transport> server;
    private final Venue venue;
    private final Session.ClientInfo client;
    private final EnvelopeReader reader;
    private final Restarts restarts;
    private final Proposers proposers = new Proposers();
    private final CompletableFuture<String> over = new CompletableFuture<>();

    private volatile Consumer<Status> whenUp = up -> {};
    private volatile Status status;
    private volatile boolean closed;
    private @Nullable Thread supervisor;
    private @Nullable Stint stint;

    /**
     * A bridge that is yet to begin.
     *
     * @param name the member that the server is in the topic
     * @param server makes a way to it, for each time it is started
     * @param client who it is told we are
     * @param limits what the gateway takes
     */
    public Bridge(
            String name,
            String topic,
            Supplier<Transport> server,
            Venue venue,
            Session.ClientInfo client,
            Limits limits,
            Restarts restarts) {
        this.name = name;
        this.topic = topic;
        this.server = server;
        this.venue = venue;
        this.client = client;
        this.reader = new EnvelopeReader(limits);
        this.restarts = restarts;
        this.status = new Status(
                name, topic, Status.Phase.STARTING, Instant.now(), "", 0, OptionalInt.empty(), Optional.empty());
    }

    /** Begins; once. */
    public synchronized void start() {
        if (supervisor != null) {
            throw new IllegalStateException("bridge '" + name + "' was started before");
        }
        supervisor = Thread.ofVirtual().name("bridge " + name).start(this::supervise);
    }

    /** Has somebody told each time its server is up and has said which tools it has; to be called before the start. */
    public void whenUp(Consumer<Status> listener) {
        whenUp = listener;
    }

    /** How it is now. */
    public Status status() {
        Status now = status;
        Stint current;
        synchronized (this) {
            current = stint;
        }
        return current == null
                ? now
                : new Status(
                        now.name(),
                        now.topic(),
                        now.phase(),
                        now.since(),
                        now.why(),
                        now.restarts(),
                        current.tools(),
                        current.version());
    }

    /** Why it ended for good, once it has. */
    public CompletableFuture<String> over() {
        return over.copy();
    }

    private void supervise() {
        int ends = 0;
        String why = "";
        try {
            while (!closed) {
                Instant began = Instant.now();
                become(Status.Phase.STARTING, "", ends == 0 ? 0 : 1);
                Stint.End end = stayed();
                why = end.why();
                if (closed || end.forGood()) {
                    break;
                }
                ends = Instant.now().isAfter(began.plus(restarts.wellAfter())) ? 1 : ends + 1;
                Optional<Duration> wait = restarts.after(ends);
                if (wait.isEmpty()) {
                    break;
                }
                become(Status.Phase.DOWN, why, 0);
                log.warn(
                        "bridge {}: down: {}; starting it again in {}",
                        name,
                        why,
                        wait.get().toSeconds() == 0 ? "a moment" : wait.get().toSeconds() + " s");
                Thread.sleep(wait.get());
            }
        } catch (InterruptedException e) {
            log.debug("bridge {}: closed", name);
        } finally {
            become(Status.Phase.OVER, why, 0);
            // Who closed it knows why.
            over.complete(closed ? "" : why);
        }
    }

    /** Whatever goes wrong in one stay is no reason not to try another. */
    private Stint.End stayed() throws InterruptedException {
        try {
            return stay();
        } catch (RuntimeException e) {
            log.error("bridge {}: something went wrong that should not", name, e);
            return new Stint.End("something went wrong that should not; the log says what", false);
        }
    }

    /** Starts the server, has it in the topic until that ends, and gives why it did. */
    private Stint.End stay() throws InterruptedException {
        Optional<String> shut = venue.closed();
        if (shut.isPresent()) {
            return new Stint.End(shut.get(), false);
        }
        Stint now = new Stint(name, topic, reader, proposers);
        try {
            now.begin(Session.open(server, now, client, PATIENCE), venue);
            synchronized (this) {
                stint = now;
            }
            become(Status.Phase.UP, "", 0);
            now.whenListed(this::listed);
            return now.over().get();
        } catch (IOException e) {
            return new Stint.End(String.valueOf(e.getMessage()), e instanceof Venue.Barred);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            synchronized (this) {
                stint = null;
            }
            now.end();
        }
    }

    private void listed() {
        Status up = status();
        log.info(
                "bridge {}: up in topic '{}', with {}{}",
                name,
                topic,
                up.offer().orElse("no list of its tools"),
                up.version().map(version -> "; speaks MCP " + version).orElse(""));
        whenUp.accept(up);
    }

    private synchronized void become(Status.Phase phase, String why, long restarted) {
        status = new Status(
                name,
                topic,
                phase,
                Instant.now(),
                why,
                status.restarts() + restarted,
                OptionalInt.empty(),
                Optional.empty());
    }

    /** Ends it and its server; waits until that is done. */
    @Override
    public void close() {
        closed = true;
        Thread running;
        synchronized (this) {
            running = supervisor;
        }
        if (running == null) {
            over.complete("");
            return;
        }
        running.interrupt();
        over.join();
    }
}

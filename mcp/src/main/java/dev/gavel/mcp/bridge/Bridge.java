package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
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
 * Runs an MCP server as a participant of a topic and restarts it when it ends. {@link #start} returns at once;
 * {@link #close} stops the bridge and its server. Thread-safe.
 */
public final class Bridge implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** Long, because {@code npx} may have to download the server first. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final String name;
    private final String topic;
    private final Supplier<McpTransport> server;
    private final TopicConnector connector;
    private final McpClientSession.ClientInfo client;
    private final EnvelopeReader reader;
    private final UndeliveredMessageRecorder undelivered;
    private final RestartPolicy restartPolicy;
    private final ProposalProposerCache proposerCache = new ProposalProposerCache();
    private final CompletableFuture<String> completion = new CompletableFuture<>();

    private volatile Consumer<BridgeStatus> upListener = up -> {};
    private volatile BridgeStatus bridgeStatus;
    private volatile boolean closed;
    private @Nullable Thread supervisor;
    private @Nullable BridgeSession session;

    /**
     * Creates a bridge that is not started yet.
     *
     * @param name the id of the topic member that represents the server
     * @param server creates a transport to the server, once for each start
     * @param client how the bridge identifies itself to the server
     * @param limits the limits that the gateway sets on envelopes
     */
    public Bridge(
            String name,
            String topic,
            Supplier<McpTransport> server,
            TopicConnector topicConnector,
            McpClientSession.ClientInfo client,
            EnvelopeLimits limits,
            RestartPolicy restartPolicy) {
        this.name = name;
        this.topic = topic;
        this.server = server;
        this.connector = topicConnector;
        this.client = client;
        this.reader = new EnvelopeReader(limits);
        this.undelivered = new UndeliveredMessageRecorder(name);
        this.restartPolicy = restartPolicy;
        this.bridgeStatus = new BridgeStatus(
                name,
                topic,
                BridgeStatus.Phase.STARTING,
                Instant.now(),
                "",
                0,
                OptionalInt.empty(),
                Optional.empty(),
                BridgeStatus.UndeliveredMessages.NONE);
    }

    /** Starts the bridge. May be called only once. */
    public synchronized void start() {
        if (supervisor != null) {
            throw new IllegalStateException("bridge '" + name + "' was already started");
        }
        supervisor = Thread.ofVirtual().name("bridge " + name).start(this::supervise);
    }

    /**
     * Sets the listener that is called each time the server is up and has listed its tools. Must be called before
     * {@link #start}.
     */
    public void onUp(Consumer<BridgeStatus> listener) {
        upListener = listener;
    }

    /** Returns the current status. */
    public BridgeStatus status() {
        BridgeStatus now = bridgeStatus;
        BridgeSession current;
        synchronized (this) {
            current = session;
        }
        return new BridgeStatus(
                now.name(),
                now.topic(),
                now.phase(),
                now.since(),
                current == null ? now.reason() : current.toolListProblem().orElse(now.reason()),
                now.restarts(),
                current == null ? OptionalInt.empty() : current.tools(),
                current == null ? Optional.empty() : current.version(),
                undelivered.messages());
    }

    /** Completes when the bridge has ended for good, with the reason. */
    public CompletableFuture<String> completion() {
        return completion.copy();
    }

    private void supervise() {
        int endCount = 0;
        String reason = "";
        try {
            while (!closed) {
                Instant startTime = Instant.now();
                setStatus(BridgeStatus.Phase.STARTING, "", endCount == 0 ? 0 : 1);
                BridgeSession.SessionEnd end = runSessionSafely();
                reason = end.reason();
                if (closed || end.permanent()) {
                    break;
                }
                endCount = Instant.now().isAfter(startTime.plus(restartPolicy.healthyAfter())) ? 1 : endCount + 1;
                Optional<Duration> delay = restartPolicy.delayAfter(endCount);
                if (delay.isEmpty()) {
                    break;
                }
                setStatus(BridgeStatus.Phase.DOWN, reason, 0);
                log.warn(
                        "Bridge {} is down: {}; restarting it in {}.",
                        name,
                        reason,
                        delay.get().toSeconds() == 0
                                ? "less than 1 s"
                                : delay.get().toSeconds() + " s");
                Thread.sleep(delay.get());
            }
        } catch (InterruptedException e) {
            log.debug("Bridge {} is closed.", name);
        } finally {
            setStatus(BridgeStatus.Phase.OVER, reason, 0);
            // The caller of close() knows the reason.
            completion.complete(closed ? "" : reason);
        }
    }

    /** Runs one session. An unexpected exception ends only that session; the bridge may start another one. */
    private BridgeSession.SessionEnd runSessionSafely() throws InterruptedException {
        try {
            return runSession();
        } catch (RuntimeException e) {
            log.error("Bridge {}: unexpected error.", name, e);
            return new BridgeSession.SessionEnd("unexpected error; see the log", false);
        }
    }

    /** Starts the server, runs its session in the topic until that ends, and returns the reason. */
    private BridgeSession.SessionEnd runSession() throws InterruptedException {
        Optional<String> unavailableReason = connector.unavailableReason();
        if (unavailableReason.isPresent()) {
            return new BridgeSession.SessionEnd(unavailableReason.get(), false);
        }
        BridgeSession now = new BridgeSession(name, topic, reader, proposerCache, undelivered);
        try {
            now.start(McpClientSession.open(server, now, client, START_TIMEOUT), connector);
            synchronized (this) {
                session = now;
            }
            setStatus(BridgeStatus.Phase.UP, "", 0);
            now.whenToolsListed(this::onToolsListed);
            return now.completion().get();
        } catch (IOException e) {
            return new BridgeSession.SessionEnd(
                    String.valueOf(e.getMessage()), e instanceof TopicConnector.JoinRefusedException);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            synchronized (this) {
                session = null;
            }
            now.close();
        }
    }

    private void onToolsListed() {
        BridgeStatus up = status();
        log.info(
                "Bridge {} is up in topic '{}' with {}{}.",
                name,
                topic,
                up.toolCountText().orElse("an unknown number of tools"),
                up.version().map(version -> " (MCP " + version + ")").orElse(""));
        if (!up.reason().isEmpty()) {
            log.warn("Bridge {}: {}", name, up.reason());
        }
        upListener.accept(up);
    }

    private synchronized void setStatus(BridgeStatus.Phase phase, String reason, long addedRestarts) {
        bridgeStatus = new BridgeStatus(
                name,
                topic,
                phase,
                Instant.now(),
                reason,
                bridgeStatus.restarts() + addedRestarts,
                OptionalInt.empty(),
                Optional.empty(),
                BridgeStatus.UndeliveredMessages.NONE);
    }

    /** Stops the bridge and its server, and waits until both have ended. */
    @Override
    public void close() {
        closed = true;
        Thread thread;
        synchronized (this) {
            thread = supervisor;
        }
        if (thread == null) {
            completion.complete("");
            return;
        }
        thread.interrupt();
        completion.join();
    }
}

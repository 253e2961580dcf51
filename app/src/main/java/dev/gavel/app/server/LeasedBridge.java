package dev.gavel.app.server;

import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.BridgeStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects one MCP server to a topic only while this gateway process holds the lease for that server; other gateway
 * processes stand by. A process that loses the lease accepts no more calls at once, and ends the bridged server.
 * Thread-safe.
 */
final class LeasedBridge implements LeaseService.LeaseListener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeasedBridge.class);

    private final String name;
    private final String topic;
    private final Function<BooleanSupplier, Bridge> bridgeFactory;
    private final Instant createdAt = Instant.now();

    private LeaseService.@Nullable LeaseRequest leaseRequest;
    private @Nullable BridgeRun currentRun;
    private Instant standbySince = createdAt;
    private boolean closed;

    /** Completes when the server of the previous run has ended: a process never runs two at once. */
    private CompletableFuture<?> previousStopped = CompletableFuture.completedFuture(null);

    /** One run of the bridge, under one term of the lease. */
    private static final class BridgeRun {
        private final LeaseService.LeaseTerm term;
        private volatile boolean ended;
        private @Nullable Bridge bridge;

        BridgeRun(LeaseService.LeaseTerm term) {
            this.term = term;
        }

        boolean holds() {
            return !ended && term.isHeld();
        }
    }

    /**
     * Creates a bridge that does not run yet.
     *
     * @param factory creates the bridge, given a check whether this process may still run calls
     */
    LeasedBridge(String name, String topic, Function<BooleanSupplier, Bridge> factory) {
        this.name = name;
        this.topic = topic;
        this.bridgeFactory = factory;
    }

    /** Requests the lease, and runs the bridge whenever this process holds it. */
    void requestLease(LeaseService leaseService) {
        LeaseService.LeaseRequest request = leaseService.request("bridge:" + name, this);
        synchronized (this) {
            leaseRequest = request;
        }
    }

    @Override
    public synchronized void onAcquire(LeaseService.LeaseTerm term) {
        if (closed) {
            return;
        }
        BridgeRun run = new BridgeRun(term);
        currentRun = run;
        previousStopped = previousStopped.handle((before, failure) -> null).thenRun(() -> startRun(run));
    }

    private synchronized void startRun(BridgeRun run) {
        if (!run.ended && !closed) {
            Bridge bridge = bridgeFactory.apply(run::holds);
            run.bridge = bridge;
            bridge.start();
        }
    }

    /** Stops the bridge. The caller cannot wait for the server, which may take time to end; no further calls run. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the next run waits for this one
    public void onRelease() {
        stop();
    }

    /**
     * Stops the current run. If this process closes the bridge, it may still answer calls until it gives up the lease.
     */
    private synchronized CompletableFuture<?> stop() {
        BridgeRun run = currentRun;
        currentRun = null;
        standbySince = Instant.now();
        if (run != null) {
            run.ended = !closed;
            Bridge bridge = run.bridge;
            if (bridge != null) {
                previousStopped = previousStopped
                        .handle((before, failure) -> null)
                        .thenRunAsync(
                                bridge::close,
                                work -> Thread.ofVirtual()
                                        .name("bridge " + name + " closing")
                                        .start(work));
            }
            if (!closed) {
                log.warn(
                        "Bridge {}: this process lost the lease and stopped the bridge; another process can run it now.",
                        name);
            }
        }
        return previousStopped;
    }

    /** The status as this process sees it. */
    BridgeStatus status() {
        LeaseService.LeaseRequest pendingRequest;
        Instant since;
        synchronized (this) {
            BridgeRun run = currentRun;
            if (run != null && run.bridge != null) {
                return run.bridge.status();
            }
            pendingRequest = run == null ? leaseRequest : null;
            since = pendingRequest == null ? createdAt : standbySince;
        }
        // Outside the lock: the lease service may be calling a listener method that needs it.
        String detail = pendingRequest == null ? "" : describeHolder(pendingRequest.otherHolder());
        return new BridgeStatus(
                name,
                topic,
                pendingRequest == null ? BridgeStatus.Phase.STARTING : BridgeStatus.Phase.STANDBY,
                since,
                detail,
                0,
                OptionalInt.empty(),
                Optional.empty(),
                BridgeStatus.UndeliveredMessages.NONE);
    }

    private static String describeHolder(String holder) {
        return holder.isEmpty() ? "no process runs it yet" : "process " + holder + " runs it";
    }

    /** Ends the bridge and its server, and then gives up the lease. */
    @Override
    public void close() {
        CompletableFuture<?> stopped;
        LeaseService.LeaseRequest request;
        synchronized (this) {
            closed = true;
            stopped = stop();
            request = leaseRequest;
        }
        stopped.handle((done, failure) -> null).join();
        if (request != null) {
            request.close();
        }
    }
}

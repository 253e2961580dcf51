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
 * A bridge that runs while this process holds its lease; the other processes stand by. Whoever loses it takes no more
 * calls at once, and ends the server behind it. Thread-safe.
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

    /** Done when the server of the time before has ended: there are never two in one process. */
    private CompletableFuture<?> previousStopped = CompletableFuture.completedFuture(null);

    /** One time of running it. */
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
     * A bridge that is yet to begin.
     *
     * @param making makes it, given what tells whether calls are still this process's to run
     */
    LeasedBridge(String name, String topic, Function<BooleanSupplier, Bridge> making) {
        this.name = name;
        this.topic = topic;
        this.bridgeFactory = making;
    }

    /** Stands for running it from now on. */
    void requestLease(LeaseService leaseService) {
        LeaseService.LeaseRequest standing = leaseService.request("bridge:" + name, this);
        synchronized (this) {
            leaseRequest = standing;
        }
    }

    @Override
    public synchronized void onAcquire(LeaseService.LeaseTerm term) {
        if (closed) {
            return;
        }
        BridgeRun now = new BridgeRun(term);
        currentRun = now;
        previousStopped = previousStopped.handle((before, failure) -> null).thenRun(() -> startRun(now));
    }

    private synchronized void startRun(BridgeRun now) {
        if (!now.ended && !closed) {
            Bridge bridge = bridgeFactory.apply(now::holds);
            now.bridge = bridge;
            bridge.start();
        }
    }

    /** Its server may take its time to end, and whoever tells us this cannot wait; but nothing is run from here on. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the next time of running it waits for this one
    public void onRelease() {
        stop();
    }

    /** Where the process itself closes it, calls stay this process's to answer until its lease is given up. */
    private synchronized CompletableFuture<?> stop() {
        BridgeRun now = currentRun;
        currentRun = null;
        standbySince = Instant.now();
        if (now != null) {
            now.ended = !closed;
            Bridge bridge = now.bridge;
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
                log.warn("bridge {}: given up here: another process may run it now", name);
            }
        }
        return previousStopped;
    }

    /** How it is, as seen from here. */
    BridgeStatus status() {
        LeaseService.LeaseRequest waiting;
        Instant since;
        synchronized (this) {
            BridgeRun now = currentRun;
            if (now != null && now.bridge != null) {
                return now.bridge.status();
            }
            waiting = now == null ? leaseRequest : null;
            since = waiting == null ? createdAt : standbySince;
        }
        // Not while this is locked: the leases may be about to tell us something.
        String why = waiting == null ? "" : describeHolder(waiting.otherHolder());
        return new BridgeStatus(
                name,
                topic,
                waiting == null ? BridgeStatus.Phase.STARTING : BridgeStatus.Phase.STANDBY,
                since,
                why,
                0,
                OptionalInt.empty(),
                Optional.empty());
    }

    private static String describeHolder(String holder) {
        return holder.isEmpty() ? "no process runs it yet" : "process " + holder + " runs it";
    }

    /** Ends it and its server, and only then lets another process have it. */
    @Override
    public void close() {
        CompletableFuture<?> ending;
        LeaseService.LeaseRequest standing;
        synchronized (this) {
            closed = true;
            ending = stop();
            standing = leaseRequest;
        }
        ending.handle((done, failure) -> null).join();
        if (standing != null) {
            standing.close();
        }
    }
}

package dev.gavel.app.server;

import dev.gavel.ledger.lease.Leases;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.Status;
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
 * A bridge that one of all processes runs which have it configured; the others stand by. Whoever loses it takes no more
 * calls at once, and ends the server behind it. Thread-safe.
 */
final class LeasedBridge implements Leases.Holder, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeasedBridge.class);

    private final String name;
    private final String topic;
    private final Function<BooleanSupplier, Bridge> making;
    private final Instant made = Instant.now();

    private Leases.@Nullable Candidacy candidacy;
    private @Nullable Running running;
    private Instant standing = made;
    private boolean closed;

    /** Done when the server of the time before has ended: there are never two in one process. */
    private CompletableFuture<?> over = CompletableFuture.completedFuture(null);

    /** One time of running it. */
    private static final class Running {
        private final Leases.Term term;
        private volatile boolean ended;
        private @Nullable Bridge bridge;

        Running(Leases.Term term) {
            this.term = term;
        }

        boolean holds() {
            return !ended && term.holds();
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
        this.making = making;
    }

    /** Stands for running it from now on. */
    void stand(Leases leases) {
        Leases.Candidacy standing = leases.stand("bridge:" + name, this);
        synchronized (this) {
            candidacy = standing;
        }
    }

    @Override
    public synchronized void begin(Leases.Term term) {
        if (closed) {
            return;
        }
        Running now = new Running(term);
        running = now;
        over = over.handle((before, failure) -> null).thenRun(() -> run(now));
    }

    private synchronized void run(Running now) {
        if (!now.ended && !closed) {
            Bridge bridge = making.apply(now::holds);
            now.bridge = bridge;
            bridge.start();
        }
    }

    /** Its server may take its time to end, and whoever tells us this cannot wait; but nothing is run from here on. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the next time of running it waits for this one
    public void end() {
        stop();
    }

    /** Where the process itself closes it, calls stay this process's to answer until its lease is given up. */
    private synchronized CompletableFuture<?> stop() {
        Running now = running;
        running = null;
        standing = Instant.now();
        if (now != null) {
            now.ended = !closed;
            Bridge bridge = now.bridge;
            if (bridge != null) {
                over = over.handle((before, failure) -> null)
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
        return over;
    }

    /** How it is, as seen from here. */
    Status status() {
        Leases.Candidacy waiting;
        Instant since;
        synchronized (this) {
            Running now = running;
            if (now != null && now.bridge != null) {
                return now.bridge.status();
            }
            waiting = now == null ? candidacy : null;
            since = waiting == null ? made : standing;
        }
        // Not while this is locked: the leases may be about to tell us something.
        String why = waiting == null ? "" : whose(waiting.holder());
        return new Status(
                name,
                topic,
                waiting == null ? Status.Phase.STARTING : Status.Phase.STANDBY,
                since,
                why,
                0,
                OptionalInt.empty(),
                Optional.empty());
    }

    private static String whose(String holder) {
        return holder.isEmpty() ? "no process runs it yet" : "process " + holder + " runs it";
    }

    /** Ends it and its server, and only then lets another process have it. */
    @Override
    public void close() {
        CompletableFuture<?> ending;
        Leases.Candidacy standing;
        synchronized (this) {
            closed = true;
            ending = stop();
            standing = candidacy;
        }
        ending.handle((done, failure) -> null).join();
        if (standing != null) {
            standing.close();
        }
    }
}

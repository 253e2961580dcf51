package dev.gavel.app.server;

import dev.gavel.app.config.BusConfig;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.bus.cluster.BusMetricsSnapshot;
import dev.gavel.gateway.bus.cluster.ClusterBus;
import dev.gavel.gateway.bus.nats.NatsBusTransport;
import dev.gavel.gateway.bus.nats.NatsConnectionOptions;
import dev.gavel.gateway.call.CallStreamLayout;
import dev.gavel.ledger.LedgerException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects this server to the other gateway processes: opens the message bus, and polls the ledger for events they
 * wrote. Thread-safe.
 */
final class ServerClusterConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerClusterConnection.class);

    private static final long POLL_MILLIS = 1_000;
    private static final String NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int NAME_LENGTH = 8;

    private final Bus bus;
    private final RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher;
    private final Optional<ClusterBus> shared;
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-ledger-poll").factory());

    private ServerClusterConnection(
            Bus bus, RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher, Optional<ClusterBus> shared) {
        this.bus = bus;
        this.remoteLedgerWriteDispatcher = remoteLedgerWriteDispatcher;
        this.shared = shared;
    }

    /** Opens the bus that the configuration names. A bus between processes connects in the background and retries. */
    static ServerClusterConnection open(BusConfig busConfig) {
        RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher = new RemoteLedgerWriteDispatcher();
        String process = newProcessName();
        return switch (busConfig) {
            case BusConfig.Memory() ->
                new ServerClusterConnection(
                        new SingleProcessBus(process), remoteLedgerWriteDispatcher, Optional.empty());
            case BusConfig.Nats nats -> {
                ClusterBus shared = openNats(nats, process, remoteLedgerWriteDispatcher);
                yield new ServerClusterConnection(shared, remoteLedgerWriteDispatcher, Optional.of(shared));
            }
        };
    }

    private static ClusterBus openNats(
            BusConfig.Nats nats, String process, RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        NatsConnectionOptions address = new NatsConnectionOptions(
                nats.servers(),
                nats.user(),
                nats.password(),
                nats.token(),
                nats.credentials(),
                nats.prefix(),
                "gavel-" + process);
        return new ClusterBus(process, new NatsBusTransport(address), remoteLedgerWriteDispatcher).start();
    }

    /** A random name that no process has had before, including earlier runs of this one. */
    private static String newProcessName() {
        SecureRandom random = new SecureRandom();
        StringBuilder name = new StringBuilder(NAME_LENGTH);
        for (int i = 0; i < NAME_LENGTH; i++) {
            name.append(NAME_CHARACTERS.charAt(random.nextInt(NAME_CHARACTERS.length())));
        }
        return name.toString();
    }

    Bus bus() {
        return bus;
    }

    RemoteLedgerWriteDispatcher remoteLedgerWriteNotifier() {
        return remoteLedgerWriteDispatcher;
    }

    /**
     * Announces this process's writes to the other processes, and polls the ledger for writes that were not announced.
     * A single process polls, too, if its database is remote: the database may have committed a write whose response
     * was lost.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with the poller
    void watchLedger(ServerLedger ledger) {
        ledger.writer().setAppendListener(appendedRange -> {
            // No process waits for call records.
            if (!CallStreamLayout.isCallStream(appendedRange.stream())) {
                bus.announceWrite(appendedRange);
            }
        });
        if (shared.isPresent() || ledger.isRemote()) {
            poller.scheduleWithFixedDelay(() -> pollHeads(ledger), POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void pollHeads(ServerLedger ledger) {
        try {
            remoteLedgerWriteDispatcher.notifyHeads(ledger.heads());
        } catch (LedgerException e) {
            log.debug("The ledger could not be polled for new events: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.warn("The ledger could not be polled for new events: {}", e.toString());
        }
    }

    Optional<BusMetricsSnapshot> metrics() {
        return shared.map(ClusterBus::metrics);
    }

    /** Leaves the bus. */
    @Override
    public void close() {
        poller.shutdownNow();
        bus.close();
    }
}

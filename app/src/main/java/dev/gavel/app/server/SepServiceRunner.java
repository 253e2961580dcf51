package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.RemoteLedgerWriteNotifier;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.sep.service.ExecutorPools;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepService;
import dev.gavel.sep.store.SepStreams;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.sep.RegistryPeopleDirectory;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Runs the SEP service in a server: every process answers queries and commands, and the process that holds the lease
 * also runs the background tasks. Questions are answered by every process. Thread-safe.
 */
final class SepServiceRunner implements AutoCloseable {
    private static final String LEASE = "sep-desk";

    private final ServerConfig config;
    private final Supplier<RegistrySnapshot> registry;
    private final ExecutorPools executors = ExecutorPools.start();
    private final LedgerSepService desk;
    private volatile Optional<SepBackgroundTasks> backgroundTasks = Optional.empty();
    private volatile Optional<LeaseService.LeaseRequest> leaseRequest = Optional.empty();

    SepServiceRunner(
            ServerConfig config, ServerLedger ledger, Supplier<RegistrySnapshot> registrySnapshot, InstantSource time) {
        this.config = config;
        this.registry = registrySnapshot;
        this.desk = new LedgerSepService(
                ledger.store(),
                ledger.writer(),
                new LifecycleEngine(config.sepConfig().processDefinition()),
                new RegistryPeopleDirectory(registrySnapshot),
                time,
                executors,
                config.sepConfig().wip());
    }

    /** Why the desk cannot be opened: proposals are under way by a process that the configured one has no place for. */
    Optional<String> adoptionProblem() {
        return desk.adoptProcess();
    }

    /** What happened lately, as an Atom document. */
    CompletionStage<String> feed() {
        return desk.feed(config.publicUrl());
    }

    /** Has something run whenever something may have happened to a SEP; it must return at once. */
    void onChange(Runnable then) {
        desk.addChangeListener(then);
    }

    /** Has that run as well where another process wrote. */
    void follow(RemoteLedgerWriteNotifier remoteLedgerWriteNotifier) {
        AtomicLong known = new AtomicLong();
        remoteLedgerWriteNotifier.subscribe(SepStreams.SEPS, new RemoteLedgerWriteNotifier.StreamListener() {
            @Override
            public void onWritten(long first, long last) {
                onHead(last);
            }

            @Override
            public void onHead(long last) {
                if (known.getAndAccumulate(last, Math::max) < last) {
                    desk.notifyChanged();
                }
            }
        });
    }

    SepService desk() {
        return desk;
    }

    /** Stands for what only one process does: coming into a topic, and what is due. */
    void start(Gateway gateway, LeaseService leaseService) {
        SepBackgroundTasks mine = new SepBackgroundTasks(config, desk, registry, gateway);
        desk.addChangeListener(mine::notifyWebhooks);
        backgroundTasks = Optional.of(mine);
        leaseRequest = Optional.of(leaseService.request(LEASE, mine));
    }

    @Override
    public void close() {
        leaseRequest.ifPresent(LeaseService.LeaseRequest::close);
        backgroundTasks.ifPresent(SepBackgroundTasks::close);
        executors.shutdown();
    }
}

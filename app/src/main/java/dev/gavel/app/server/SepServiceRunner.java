package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.sep.service.ExecutorPools;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepLimits;
import dev.gavel.sep.service.SepService;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.sep.RegistryPeopleDirectory;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Runs the SEP service in a gateway process, and also the SEP background tasks while this process holds their lease.
 * Thread-safe.
 */
final class SepServiceRunner implements AutoCloseable {
    private static final String LEASE = "sep-desk";

    private final ServerConfig config;
    private final Supplier<RegistrySnapshot> registry;
    private final ExecutorPools executors = ExecutorPools.start();
    private final LedgerSepService sepService;
    private volatile Optional<SepBackgroundTasks> backgroundTasks = Optional.empty();
    private volatile Optional<LeaseService.LeaseRequest> leaseRequest = Optional.empty();

    SepServiceRunner(ServerConfig config, ServerLedger ledger, IdentityRegistry identityRegistry, InstantSource time) {
        this.config = config;
        this.registry = identityRegistry::snapshot;
        this.sepService = new LedgerSepService(
                ledger.store(),
                ledger.writer(),
                new LifecycleEngine(config.sepConfig().processDefinition()),
                new RegistryPeopleDirectory(identityRegistry, time),
                time,
                executors,
                limits(config));
    }

    private static SepLimits limits(ServerConfig config) {
        ProposalLimits proposals = config.limits().proposals();
        return new SepLimits(config.sepConfig().wip(), proposals.bytes().day(), identity -> {
            ProposalLimits.AskLimit ask = proposals.askLimitOf(identity);
            return new SepLimits.SubmissionLimit(ask.open(), ask.hour());
        });
    }

    /**
     * The reason why the service cannot start, if there is one: existing SEPs are in states that the configured process
     * does not have.
     */
    Optional<String> adoptionProblem() {
        return sepService.adoptProcess();
    }

    /** Recent events as an Atom document, for an identity. */
    CompletionStage<String> feed(String identity) {
        return sepService.feed(identity, ApiBaseUrl.shareable(config.publicUrl()));
    }

    /** Adds a listener that runs whenever a SEP may have changed; it must return at once. */
    void onChange(Runnable then) {
        sepService.addChangeListener(then);
    }

    /** Notifies the listeners also if another process wrote to the ledger. */
    void follow(RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        for (String stream : List.of(SepStreamNames.SEPS, SepStreamNames.DIGESTS)) {
            follow(remoteLedgerWriteDispatcher, stream);
        }
    }

    private void follow(RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher, String stream) {
        AtomicLong lastSeq = new AtomicLong();
        remoteLedgerWriteDispatcher.subscribe(stream, new RemoteLedgerWriteDispatcher.StreamListener() {
            @Override
            public void onWritten(long first, long last) {
                onPolledHead(last);
            }

            @Override
            public void onPolledHead(long last) {
                if (lastSeq.getAndAccumulate(last, Math::max) < last) {
                    sepService.notifyChanged();
                }
            }
        });
    }

    SepService sepService() {
        return sepService;
    }

    /** Requests the lease for the tasks that only one process runs: the topic participant, notifications and due actions. */
    void start(Gateway gateway, LeaseService leaseService) {
        SepBackgroundTasks tasks = new SepBackgroundTasks(config, sepService, registry, gateway);
        sepService.addChangeListener(tasks::wakeSender);
        backgroundTasks = Optional.of(tasks);
        leaseRequest = Optional.of(leaseService.request(LEASE, tasks));
    }

    @Override
    public void close() {
        leaseRequest.ifPresent(LeaseService.LeaseRequest::close);
        backgroundTasks.ifPresent(SepBackgroundTasks::close);
        executors.shutdown();
    }
}

package dev.gavel.app.server;

import dev.gavel.app.config.AuditConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.FreeSpaceProbe;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.sqlite.VolumeSpaceProbe;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.web.metrics.LedgerMetricsSnapshot;
import dev.gavel.web.registry.RegistryLedger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of a running server: opens it, writes to it, deletes old proposals and reports whether it is available.
 * Thread-safe.
 */
final class ServerLedger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerLedger.class);

    /** The number of proposals deleted in one transaction, so that others can write in between. */
    private static final int PRUNE_BATCH = 500;

    private static final long PRUNE_INTERVAL_MINUTES = 60;

    /** How long queued writes may take when the process stops. Writes that do not make it were never confirmed. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(3);

    private final LedgerHandle handle;
    private final LedgerStore store;
    private final LedgerWriter writer;
    private final ScheduledExecutorService retentionExecutor;
    private volatile boolean readable = true;
    private volatile @Nullable CallAuditService callAudit;

    private ServerLedger(LedgerHandle ledgerHandle, LedgerWriter writer) {
        this.handle = ledgerHandle;
        this.store = ledgerHandle.store();
        this.writer = writer;
        this.retentionExecutor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("gavel-retention").factory());
    }

    static ServerLedger open(ServerConfig config, InstantSource clock) throws IOException {
        LedgerHandle ledgerHandle = LedgerHandle.open(config);
        ServerLedger ledger = new ServerLedger(
                ledgerHandle,
                new LedgerWriter(
                        ledgerHandle.store(),
                        clock,
                        WriterOptions.DEFAULT,
                        ledgerHandle
                                .file()
                                .<FreeSpaceProbe>map(file -> new VolumeSpaceProbe(
                                        file, config.limits().reserve()))
                                .orElse(FreeSpaceProbe.UNKNOWN)));
        config.retention().ifPresent(age -> ledger.scheduleRetention(age, clock));
        return ledger;
    }

    /** Creates the proposal store of a topic with these members. */
    ProposalStore proposalStore(
            ServerConfig.Topic topic, CapabilitiesByMember capabilitiesByMember, ProposalLimits proposalLimits) {
        return new ProposalStore(
                topic.name(), new ProposalDecider(topic.rules(), capabilitiesByMember), proposalLimits, writer, store);
    }

    /** Starts to record calls. Call it once, before {@link #callAudit}. */
    void startCallAudit(AuditConfig audit, Bus bus, InstantSource clock) {
        callAudit = CallAuditService.start(this, audit, bus, clock);
    }

    /** How the calls of a topic are recorded and read. */
    Optional<TopicConfig.CallAudit> callAudit(ServerConfig.Topic topic) {
        return Optional.ofNullable(callAudit).map(it -> it.ofTopic(topic));
    }

    /** Passes all events of a stream to {@code sink}, in order. */
    void replay(String stream, Consumer<LedgerEvent> sink) {
        store.replay(stream, sink);
    }

    /** Logs every event of a stream that is not as it was written; does nothing else about it. */
    void logFindings(String stream) {
        StreamAuditResult streamAuditResult = HashChainVerifier.verify(store, stream, List.of(), () -> {});
        for (AuditFinding finding : streamAuditResult.findings()) {
            log.error(
                    "The ledger failed its verification, stream '{}' seq {}: {}. Run 'gavel ledger verify'.",
                    stream,
                    finding.seq(),
                    finding.detail());
        }
        if (streamAuditResult.moreFindings() > 0) {
            log.error(
                    "The ledger failed its verification, stream '{}': {} more findings. Run 'gavel ledger verify'.",
                    stream,
                    streamAuditResult.moreFindings());
        }
    }

    LedgerStore store() {
        return store;
    }

    /** The open ledger database. */
    LedgerHandle handle() {
        return handle;
    }

    /** The leases that decide which of the processes sharing the ledger runs a task that only one may run. */
    LeaseService leases() {
        return handle.leases();
    }

    /**
     * Whether the ledger is in a database server, which may be unreachable or lose its connection while it responds.
     */
    boolean isRemote() {
        return handle.file().isEmpty();
    }

    /** Whether other processes may write to the ledger as well. */
    boolean isShared() {
        return handle.isShared();
    }

    /** 32 random bytes, the same in all processes that share the ledger. */
    byte[] sharedSecret(String name) {
        return handle.sharedSecret(name);
    }

    LedgerWriter writer() {
        return writer;
    }

    /** The store of changes to identities. */
    RegistryLedger registryLedger() {
        return new RegistryLedger(store, writer);
    }

    /**
     * The last sequence number of each stream. If they cannot be read, the ledger counts as unavailable, even if there
     * is nothing to write.
     */
    Map<String, Long> heads() {
        try {
            Map<String, Long> heads = store.lastSeqs();
            readable = true;
            return heads;
        } catch (LedgerException e) {
            readable = false;
            throw e;
        }
    }

    LedgerMetricsSnapshot metrics() {
        return new LedgerMetricsSnapshot(
                writer.metrics(), isAvailable(), Optional.ofNullable(callAudit).map(CallAuditService::counts));
    }

    /** Whether the ledger can be written to now, as far as is known. */
    boolean isAvailable() {
        return readable && writer.isAvailable();
    }

    /** Schedules pruning; one process does it for all. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    private void scheduleRetention(Duration age, InstantSource clock) {
        RetentionTask retentionTask = new RetentionTask(age, clock);
        leases().request("retention", retentionTask);
        retentionExecutor.scheduleWithFixedDelay(
                retentionTask, PRUNE_INTERVAL_MINUTES, PRUNE_INTERVAL_MINUTES, TimeUnit.MINUTES);
    }

    /**
     * Deletes old proposals while this process holds the lease: at once when it acquires the lease, then periodically.
     */
    private final class RetentionTask implements LeaseService.LeaseListener, Runnable {
        private final Duration age;
        private final InstantSource clock;
        private volatile LeaseService.@Nullable LeaseTerm term;

        RetentionTask(Duration age, InstantSource clock) {
            this.age = age;
            this.clock = clock;
        }

        @Override
        public void onAcquire(LeaseService.LeaseTerm leaseTerm) {
            term = leaseTerm;
            if (!retentionExecutor.isShutdown()) {
                retentionExecutor.execute(this);
            }
        }

        @Override
        public void onRelease() {
            term = null;
        }

        @Override
        public void run() {
            pruneBefore(clock.instant().minus(age), this::holds);
        }

        private boolean holds() {
            LeaseService.LeaseTerm leaseTerm = term;
            return leaseTerm != null && leaseTerm.isHeld() && !retentionExecutor.isShutdown();
        }
    }

    private void pruneBefore(Instant time, BooleanSupplier shouldContinue) {
        try {
            long prunedCount = 0;
            int last = PRUNE_BATCH;
            while (last == PRUNE_BATCH && shouldContinue.getAsBoolean()) {
                last = store.prune(time, PRUNE_BATCH);
                prunedCount += last;
            }
            if (prunedCount > 0) {
                log.info("Retention deleted {} proposals that ended before {}.", prunedCount, time);
            }
        } catch (LedgerException e) {
            log.warn("Retention could not delete old proposals: {}", e.getMessage());
        }
    }

    /** Writes what is queued and notifies the callers; the event loops must still run to receive that. */
    void drainWriter() {
        retentionExecutor.shutdown();
        CallAuditService started = callAudit;
        if (started != null) {
            // Only once: without the writer, closing it again would wait in vain.
            callAudit = null;
            started.close();
        }
        writer.close(DRAIN_TIMEOUT);
    }

    @Override
    public void close() {
        try {
            drainWriter();
        } finally {
            handle.close();
        }
    }
}

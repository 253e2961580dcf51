package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.gateway.proposal.MemberCapabilities;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReplayResult;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.web.metrics.LedgerMetrics;
import dev.gavel.web.registry.RegistryLedger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of a running server: opens it, writes to it through a single writer, prunes old proposals, and reports
 * whether it is available. Thread-safe.
 */
final class ServerLedger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerLedger.class);

    /** So many proposals are forgotten in one go, so that others can write in between. */
    private static final int PRUNE_BATCH = 500;

    private static final int READ_BATCH = 1000;

    private static final long PRUNE_INTERVAL_MINUTES = 60;

    /** How long what was handed in has to be written when the process ends; nobody was told that it would be. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(3);

    private final LedgerHandle handle;
    private final LedgerStore store;
    private final LedgerWriter writer;
    private final ScheduledExecutorService retentionExecutor;
    private volatile boolean readable = true;

    private ServerLedger(LedgerHandle ledgerHandle, LedgerWriter writer) {
        this.handle = ledgerHandle;
        this.store = ledgerHandle.store();
        this.writer = writer;
        this.retentionExecutor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("gavel-housekeeping").factory());
    }

    static ServerLedger open(ServerConfig config, InstantSource clock) throws IOException {
        LedgerHandle ledgerHandle = LedgerHandle.open(config);
        ServerLedger ledger =
                new ServerLedger(ledgerHandle, new LedgerWriter(ledgerHandle.store(), clock, WriterOptions.DEFAULT));
        config.retention().ifPresent(age -> ledger.scheduleRetention(age, clock));
        return ledger;
    }

    /** A topic's proposals, decided on among these members. */
    ProposalStore proposalStore(ServerConfig.Topic topic, MemberCapabilities memberCapabilities) {
        return new ProposalStore(topic.name(), new ProposalDecider(topic.rules(), memberCapabilities), writer, store);
    }

    /** Shows everything that was written to a stream, in order and each once, be there gaps or not. */
    void replay(String stream, Consumer<LedgerEvent> sink) {
        long last = 0;
        List<LedgerEvent> next;
        do {
            next = switch (store.eventsAfter(stream, last, READ_BATCH)) {
                case StreamReplayResult.Events(List<LedgerEvent> some) -> some;
                case StreamReplayResult.Resync(RetainedStreamRange kept) ->
                    throw new LedgerException("stream '" + stream + "' begins with seq " + kept.first()
                            + ", and what came before is missing");
            };
            next.forEach(sink);
            last = next.isEmpty() ? last : next.getLast().seq();
        } while (!next.isEmpty());
    }

    /** Says in the log what is not as it was written in a stream, and leaves it at that. */
    void logFindings(String stream) {
        StreamAuditResult streamAuditResult = HashChainVerifier.verify(store, stream, List.of(), () -> {});
        for (AuditFinding finding : streamAuditResult.findings()) {
            log.error(
                    "the ledger is not as it was written, stream '{}' seq {}: {}; run 'gavel ledger verify'",
                    stream,
                    finding.seq(),
                    finding.detail());
        }
        if (streamAuditResult.moreFindings() > 0) {
            log.error(
                    "the ledger is not as it was written, stream '{}', in {} more places; run 'gavel ledger verify'",
                    stream,
                    streamAuditResult.moreFindings());
        }
    }

    LedgerStore store() {
        return store;
    }

    /** The same, with where and how it is kept. */
    LedgerHandle handle() {
        return handle;
    }

    /** Who of the processes that share it does what only one may do. */
    LeaseService leases() {
        return handle.leases();
    }

    /** Whether it is kept by a database that may be out of reach, or out of reach just as it answers. */
    boolean isRemote() {
        return handle.file().isEmpty();
    }

    /** Whether other processes may write to it as well. */
    boolean isShared() {
        return handle.isShared();
    }

    /** 32 bytes that nobody can guess: the same in all processes that share the ledger. */
    byte[] sharedSecret(String name) {
        return handle.sharedSecret(name);
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Where changes of identities are kept. */
    RegistryLedger registryLedger() {
        return new RegistryLedger(store, writer);
    }

    /** How far each stream reaches. Where that cannot be read it counts as away, be there something to write or not. */
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

    /** How it stands with it. */
    LedgerMetrics metrics() {
        return new LedgerMetrics(writer.metrics(), isAvailable());
    }

    /** Whether it can be written to now, as far as is known. */
    boolean isAvailable() {
        return readable && writer.isAvailable();
    }

    /** One process does it for all. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the housekeeping
    private void scheduleRetention(Duration age, InstantSource clock) {
        RetentionTask retentionTask = new RetentionTask(age, clock);
        leases().request("retention", retentionTask);
        retentionExecutor.scheduleWithFixedDelay(
                retentionTask, PRUNE_INTERVAL_MINUTES, PRUNE_INTERVAL_MINUTES, TimeUnit.MINUTES);
    }

    /** Forgets what is old enough, while that is this process's to do: at once when it becomes so, and then now and then. */
    private final class RetentionTask implements LeaseService.LeaseListener, Runnable {
        private final Duration age;
        private final InstantSource clock;
        private volatile LeaseService.@Nullable LeaseTerm term;

        RetentionTask(Duration age, InstantSource clock) {
            this.age = age;
            this.clock = clock;
        }

        @Override
        public void onAcquire(LeaseService.LeaseTerm ours) {
            term = ours;
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
            LeaseService.LeaseTerm ours = term;
            return ours != null && ours.isHeld() && !retentionExecutor.isShutdown();
        }
    }

    private void pruneBefore(Instant time, BooleanSupplier going) {
        try {
            long forgotten = 0;
            int last = PRUNE_BATCH;
            while (last == PRUNE_BATCH && going.getAsBoolean()) {
                last = store.prune(time, PRUNE_BATCH);
                forgotten += last;
            }
            if (forgotten > 0) {
                log.info("forgot {} proposals that ended before {}", forgotten, time);
            }
        } catch (LedgerException e) {
            log.warn("old proposals could not be forgotten: {}", e.getMessage());
        }
    }

    /** Writes what was handed in, and tells of it: event loops must still be there to hear. */
    void drainWriter() {
        retentionExecutor.shutdown();
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

package dev.gavel.app.server;

import dev.gavel.app.config.AuditConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.SingleProcessBus;
import dev.gavel.gateway.call.CallAuditLog;
import dev.gavel.gateway.call.CallRecordReader;
import dev.gavel.gateway.call.CallRecordRetention;
import dev.gavel.gateway.call.InterruptedRecordingSweeper;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.lease.LeaseService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the call records of a running server: creates the parts that write and read them, deletes old records, and
 * records that a gateway ended without a shutdown. Thread-safe.
 */
final class CallAuditService implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CallAuditService.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final ServerLedger ledger;
    private final AuditConfig audit;
    private final Bus bus;
    private final InstantSource clock;
    private final Instant startedAt;
    private final CallAuditLog auditLog;
    private final CallRecordRetention retention;
    private final InterruptedRecordingSweeper sweeper;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-call-retention").factory());
    private volatile LeaseService.@Nullable LeaseTerm term;

    private CallAuditService(ServerLedger ledger, AuditConfig audit, Bus bus, InstantSource clock) {
        this.ledger = ledger;
        this.audit = audit;
        this.bus = bus;
        this.clock = clock;
        this.startedAt = clock.instant();
        this.auditLog = new CallAuditLog(ledger.writer(), clock, bus.processId());
        this.retention = new CallRecordRetention(ledger.store(), audit.retention(), audit.size());
        this.sweeper = new InterruptedRecordingSweeper(ledger.store(), ledger.writer(), bus::isAlive);
    }

    /** Starts the recording of calls. Only the process that holds the lease deletes old records. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    static CallAuditService start(ServerLedger ledger, AuditConfig audit, Bus bus, InstantSource clock) {
        CallAuditService callAudit = new CallAuditService(ledger, audit, bus, clock);
        ledger.leases().request("call-retention", callAudit.new RetentionLease());
        callAudit.executor.scheduleWithFixedDelay(
                callAudit::runMaintenance, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        return callAudit;
    }

    /** Runs maintenance at once when this process acquires the lease. */
    private final class RetentionLease implements LeaseService.LeaseListener {
        @Override
        public void onAcquire(LeaseService.LeaseTerm leaseTerm) {
            term = leaseTerm;
            if (!executor.isShutdown()) {
                executor.execute(() -> {
                    retention.reset();
                    runMaintenance();
                });
            }
        }

        @Override
        public void onRelease() {
            term = null;
        }
    }

    private void runMaintenance() {
        LeaseService.LeaseTerm held = term;
        if (held == null || !held.isHeld() || executor.isShutdown()) {
            return;
        }
        try {
            Instant now = clock.instant();
            // After its start, this process does not know yet which other processes run.
            boolean single = bus instanceof SingleProcessBus;
            if (single || (bus.isAvailable() && startedAt.plus(INTERVAL).isBefore(now))) {
                sweeper.run(single ? now : now.minus(INTERVAL));
            }
            retention.run(now);
        } catch (LedgerException e) {
            log.warn("The retention of call records could not run; trying again in a minute: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.error("The retention of call records failed; trying again in a minute.", e);
        }
    }

    /** Returns the parts that record and read the calls of a topic. */
    TopicConfig.CallAudit ofTopic(ServerConfig.Topic topic) {
        return new TopicConfig.CallAudit(
                topic.auditMode().orElse(audit.mode()),
                auditLog.appender(topic.name()),
                new CallRecordReader(ledger.store(), topic.name()));
    }

    CallAuditLog.Counts counts() {
        return auditLog.counts();
    }

    /** Writes the waiting records. The ledger must still be open. */
    @Override
    public void close() {
        executor.shutdown();
        auditLog.close();
    }
}

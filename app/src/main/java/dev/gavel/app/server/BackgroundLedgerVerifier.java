package dev.gavel.app.server;

import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.web.console.admin.LedgerInspector;
import dev.gavel.web.console.admin.LedgerVerificationStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the console's ledger page the ledger's location and contents, and verifies the ledger on a background thread
 * when asked. Thread-safe.
 */
final class BackgroundLedgerVerifier implements LedgerInspector, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BackgroundLedgerVerifier.class);

    /** The verification checks for a stop at every event, so it ends within the time of reading one page. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final LedgerReader ledger;
    private final LedgerHandle handle;
    private final BooleanSupplier writable;
    private final Executor readExecutor;
    private final InstantSource clock;
    private final AtomicLong events = new AtomicLong();

    private volatile @Nullable LedgerVerificationStatus lastVerification;
    private volatile boolean closed;
    private @Nullable Thread running;

    /**
     * Creates a verifier that has verified nothing yet.
     *
     * @param queryExecutor runs short queries to the ledger
     */
    BackgroundLedgerVerifier(
            LedgerHandle ledgerHandle, BooleanSupplier writable, Executor queryExecutor, InstantSource clock) {
        this.ledger = ledgerHandle.store();
        this.handle = ledgerHandle;
        this.writable = writable;
        this.readExecutor = queryExecutor;
        this.clock = clock;
    }

    @Override
    public String location() {
        return handle.location();
    }

    @Override
    public Optional<Path> file() {
        return handle.file();
    }

    @Override
    public boolean writable() {
        return writable.getAsBoolean();
    }

    @Override
    public CompletionStage<LedgerContents> loadContents() {
        return CompletableFuture.supplyAsync(
                () -> new LedgerContents(
                        ledger.streams().stream()
                                .map(stream -> new StreamExtent(stream, ledger.retainedRange(stream)))
                                .toList(),
                        handle.sizeInBytes()),
                readExecutor);
    }

    @Override
    public synchronized boolean startVerification(String by) {
        if (closed || running != null) {
            return false;
        }
        events.set(0);
        LedgerVerificationStatus verification = new LedgerVerificationStatus(
                by, clock.instant(), Optional.empty(), 0, 0, Optional.empty(), List.of(), 0);
        lastVerification = verification;
        log.info("{} started a verification of the ledger.", by);
        running = Thread.ofPlatform().daemon().name("gavel-verify").start(() -> verify(verification));
        return true;
    }

    @Override
    public Optional<LedgerVerificationStatus> lastVerification() {
        LedgerVerificationStatus now = lastVerification;
        return now == null || now.endedAt().isPresent()
                ? Optional.ofNullable(now)
                : Optional.of(with(now, Optional.empty(), now.totalEvents(), Optional.empty(), List.of(), 0));
    }

    private void verify(LedgerVerificationStatus verification) {
        List<StreamAuditResult> streamAuditResult = new ArrayList<>();
        Optional<String> failure = Optional.empty();
        long of = 0;
        long lost = 0;
        try {
            List<String> streams = ledger.streams();
            for (String stream : streams) {
                of += Math.max(
                        0,
                        ledger.retainedRange(stream).last()
                                - ledger.retainedRange(stream).first()
                                + 1);
            }
            lastVerification = with(verification, Optional.empty(), of, failure, List.of(), 0);
            for (String stream : streams) {
                streamAuditResult.add(HashChainVerifier.verify(ledger, stream, List.of(), this::onEventVerified));
            }
            lost = ledger.missingStreamCount();
        } catch (CancellationException e) {
            failure = Optional.of("the server is shutting down");
        } catch (LedgerException e) {
            failure = Optional.of("the ledger cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            log.error("The verification of the ledger failed.", e);
            failure = Optional.of("internal error; see the server's log");
        }
        end(with(verification, Optional.of(clock.instant()), of, failure, streamAuditResult, lost));
    }

    private void onEventVerified() {
        events.incrementAndGet();
        if (closed) {
            throw new CancellationException();
        }
    }

    private synchronized void end(LedgerVerificationStatus ended) {
        lastVerification = ended;
        running = null;
        long found = ended.lostStreams()
                + ended.streamAuditResults().stream()
                        .mapToLong(each -> each.findings().size() + each.moreFindings())
                        .sum();
        if (found > 0) {
            log.error("The ledger failed its verification: {} findings. Run 'gavel ledger verify'.", found);
        }
    }

    private LedgerVerificationStatus with(
            LedgerVerificationStatus verification,
            Optional<Instant> ended,
            long of,
            Optional<String> failure,
            List<StreamAuditResult> streamAuditResult,
            long lost) {
        return new LedgerVerificationStatus(
                verification.by(), verification.startedAt(), ended, events.get(), of, failure, streamAuditResult, lost);
    }

    /** Stops a running verification, because the ledger is about to be closed. */
    @Override
    public void close() {
        closed = true;
        Thread verifying;
        synchronized (this) {
            verifying = running;
        }
        if (verifying != null) {
            try {
                verifying.join(CLOSE_TIMEOUT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

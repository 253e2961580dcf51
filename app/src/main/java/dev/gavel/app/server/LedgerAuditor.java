package dev.gavel.app.server;

import dev.gavel.app.edge.console.admin.Auditor;
import dev.gavel.app.edge.console.admin.Verification;
import dev.gavel.app.keeping.Keeping;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
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

/** Verifies the ledger of a running server, on a thread of its own, page by page beside whoever writes. Thread-safe. */
final class LedgerAuditor implements Auditor, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LedgerAuditor.class);

    /** It looks whether it is to stop at every event, so it needs no longer than reading one page takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LedgerReader ledger;
    private final Keeping keeping;
    private final BooleanSupplier writable;
    private final Executor reading;
    private final InstantSource clock;
    private final AtomicLong events = new AtomicLong();

    private volatile @Nullable Verification last;
    private volatile boolean closed;
    private @Nullable Thread running;

    /**
     * One that has verified nothing yet.
     *
     * @param reading where short questions to the ledger are asked
     */
    LedgerAuditor(Keeping keeping, BooleanSupplier writable, Executor reading, InstantSource clock) {
        this.ledger = keeping.store();
        this.keeping = keeping;
        this.writable = writable;
        this.reading = reading;
        this.clock = clock;
    }

    @Override
    public String place() {
        return keeping.place();
    }

    @Override
    public Optional<Path> file() {
        return keeping.file();
    }

    @Override
    public boolean writable() {
        return writable.getAsBoolean();
    }

    @Override
    public CompletionStage<Holdings> look() {
        return CompletableFuture.supplyAsync(
                () -> new Holdings(
                        ledger.streams().stream()
                                .map(stream -> new Kept(stream, ledger.extent(stream)))
                                .toList(),
                        keeping.bytes()),
                reading);
    }

    @Override
    public synchronized boolean begin(String by) {
        if (closed || running != null) {
            return false;
        }
        events.set(0);
        Verification begun =
                new Verification(by, clock.instant(), Optional.empty(), 0, 0, Optional.empty(), List.of(), 0);
        last = begun;
        log.info("{} has the ledger verified", by);
        running = Thread.ofPlatform().daemon().name("gavel-verify").start(() -> verify(begun));
        return true;
    }

    @Override
    public Optional<Verification> last() {
        Verification now = last;
        return now == null || now.ended().isPresent()
                ? Optional.ofNullable(now)
                : Optional.of(with(now, Optional.empty(), now.of(), Optional.empty(), List.of(), 0));
    }

    private void verify(Verification begun) {
        List<Audited> audited = new ArrayList<>();
        Optional<String> failure = Optional.empty();
        long of = 0;
        long lost = 0;
        try {
            List<String> streams = ledger.streams();
            for (String stream : streams) {
                of += Math.max(
                        0, ledger.extent(stream).last() - ledger.extent(stream).first() + 1);
            }
            last = with(begun, Optional.empty(), of, failure, List.of(), 0);
            for (String stream : streams) {
                audited.add(Audit.verify(ledger, stream, List.of(), this::step));
            }
            lost = ledger.lostStreams();
        } catch (CancellationException e) {
            failure = Optional.of("the server stops");
        } catch (LedgerFailure e) {
            failure = Optional.of("the ledger cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            log.error("the ledger could not be verified", e);
            failure = Optional.of("something went wrong that should not; the log says what");
        }
        end(with(begun, Optional.of(clock.instant()), of, failure, audited, lost));
    }

    private void step() {
        events.incrementAndGet();
        if (closed) {
            throw new CancellationException();
        }
    }

    private synchronized void end(Verification ended) {
        last = ended;
        running = null;
        long found = ended.lost()
                + ended.audited().stream()
                        .mapToLong(each -> each.findings().size() + each.more())
                        .sum();
        if (found > 0) {
            log.error("the ledger is not as it was written: {} findings; run 'gavel ledger verify'", found);
        }
    }

    private Verification with(
            Verification begun,
            Optional<Instant> ended,
            long of,
            Optional<String> failure,
            List<Audited> audited,
            long lost) {
        return new Verification(begun.by(), begun.began(), ended, events.get(), of, failure, audited, lost);
    }

    /** Stops what runs: the ledger is to be closed. */
    @Override
    public void close() {
        closed = true;
        Thread verifying;
        synchronized (this) {
            verifying = running;
        }
        if (verifying != null) {
            try {
                verifying.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

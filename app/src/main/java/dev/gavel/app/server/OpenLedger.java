package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.metrics.LedgerReading;
import dev.gavel.app.register.Keeping;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import dev.gavel.ledger.lease.Alone;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger of a running gateway: opened, written to by one writer, and rid of what is old enough. Thread-safe. */
final class OpenLedger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenLedger.class);

    /** So many proposals are forgotten in one go, so that others can write in between. */
    private static final int FORGET_AT_ONCE = 500;

    private static final int READ_AT_ONCE = 1000;

    private static final long FORGET_EVERY_MINUTES = 60;

    /** How long what was handed in has to be written when the process ends; nobody was told that it would be. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final LedgerStore store;
    private final LedgerWriter writer;
    private final Leases leases = new Alone();
    private final ScheduledExecutorService housekeeping;

    private OpenLedger(LedgerStore store, LedgerWriter writer) {
        this.store = store;
        this.writer = writer;
        this.housekeeping = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("gavel-housekeeping").factory());
    }

    static OpenLedger open(Config config, InstantSource clock) throws IOException {
        return switch (SqliteLedger.open(config.ledgerFile(), SqliteOptions.DEFAULT)) {
            case Opening.Refused(String reason) -> throw new IOException(reason);
            case Opening.Opened(SqliteLedger store) -> {
                OpenLedger ledger = new OpenLedger(store, new LedgerWriter(store, clock, WriterOptions.DEFAULT));
                config.retention().ifPresent(age -> ledger.forget(age, clock));
                yield ledger;
            }
        };
    }

    /** A topic's proposals, decided on among these members. */
    Docket docket(Config.Topic topic, Members members) {
        return new Docket(topic.name(), new ProposalLife(topic.rules(), members), writer, store);
    }

    /** Shows everything that was written to a stream, in order and each once, be there gaps or not. */
    void read(String stream, Consumer<Event> sink) {
        long last = 0;
        List<Event> next;
        do {
            next = switch (store.after(stream, last, READ_AT_ONCE)) {
                case Replay.Events(List<Event> some) -> some;
                case Replay.Resync(Extent kept) ->
                    throw new LedgerFailure("stream '" + stream + "' begins with seq " + kept.first()
                            + ", and what came before is missing");
            };
            next.forEach(sink);
            last = next.isEmpty() ? last : next.getLast().seq();
        } while (!next.isEmpty());
    }

    /** Says in the log what is not as it was written in a stream, and leaves it at that. */
    void verify(String stream) {
        Audited audited = Audit.verify(store, stream, List.of(), () -> {});
        for (Finding finding : audited.findings()) {
            log.error(
                    "the ledger is not as it was written, stream '{}' seq {}: {}; run 'gavel ledger verify'",
                    stream,
                    finding.seq(),
                    finding.detail());
        }
        if (audited.more() > 0) {
            log.error(
                    "the ledger is not as it was written, stream '{}', in {} more places; run 'gavel ledger verify'",
                    stream,
                    audited.more());
        }
    }

    LedgerStore store() {
        return store;
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Where changes of identities are kept. */
    Keeping keeping() {
        return new Keeping(store, writer);
    }

    /** Who of all processes with this ledger does what only one may do. */
    Leases leases() {
        return leases;
    }

    /** A secret that all processes with this ledger have; nothing where there is only one process. */
    Optional<byte[]> secret(String name) {
        return Optional.empty();
    }

    /** How it stands with it. */
    LedgerReading reading() {
        return new LedgerReading(writer.measures(), writer.available());
    }

    /** Whether it can be written to now. */
    boolean available() {
        return writer.available();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the housekeeping
    private void forget(Duration age, InstantSource clock) {
        housekeeping.scheduleWithFixedDelay(
                () -> forgetBefore(clock.instant().minus(age)), 0, FORGET_EVERY_MINUTES, TimeUnit.MINUTES);
    }

    private void forgetBefore(Instant time) {
        try {
            long forgotten = 0;
            int last;
            do {
                last = store.prune(time, FORGET_AT_ONCE);
                forgotten += last;
            } while (last == FORGET_AT_ONCE && !housekeeping.isShutdown());
            if (forgotten > 0) {
                log.info("forgot {} proposals that ended before {}", forgotten, time);
            }
        } catch (LedgerFailure e) {
            log.warn("old proposals could not be forgotten: {}", e.getMessage());
        }
    }

    /** Writes what was handed in, and tells of it: event loops must still be there to hear. */
    void finishWriting() {
        housekeeping.shutdown();
        writer.close(PATIENCE);
    }

    @Override
    public void close() {
        finishWriting();
        store.close();
    }
}

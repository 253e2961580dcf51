package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.keeping.Keeping;
import dev.gavel.app.metrics.LedgerReading;
import dev.gavel.app.register.Rolls;
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
import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
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

/** The ledger of a running gateway: opened, written to by one writer, and rid of what is old enough. Thread-safe. */
final class OpenLedger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenLedger.class);

    /** So many proposals are forgotten in one go, so that others can write in between. */
    private static final int FORGET_AT_ONCE = 500;

    private static final int READ_AT_ONCE = 1000;

    private static final long FORGET_EVERY_MINUTES = 60;

    /** How long what was handed in has to be written when the process ends; nobody was told that it would be. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Keeping keeping;
    private final LedgerStore store;
    private final LedgerWriter writer;
    private final ScheduledExecutorService housekeeping;
    private volatile boolean readable = true;

    private OpenLedger(Keeping keeping, LedgerWriter writer) {
        this.keeping = keeping;
        this.store = keeping.store();
        this.writer = writer;
        this.housekeeping = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("gavel-housekeeping").factory());
    }

    static OpenLedger open(Config config, InstantSource clock) throws IOException {
        Keeping keeping = Keeping.open(config);
        OpenLedger ledger = new OpenLedger(keeping, new LedgerWriter(keeping.store(), clock, WriterOptions.DEFAULT));
        config.retention().ifPresent(age -> ledger.forget(age, clock));
        return ledger;
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

    /** The same, with where and how it is kept. */
    Keeping keeping() {
        return keeping;
    }

    /** Who of the processes that share it does what only one may do. */
    Leases leases() {
        return keeping.leases();
    }

    /** Whether it is kept by a database that may be out of reach, or out of reach just as it answers. */
    boolean remote() {
        return keeping.file().isEmpty();
    }

    /** Whether other processes may write to it as well. */
    boolean shared() {
        return keeping.shared();
    }

    /** 32 bytes that nobody can guess: the same in all processes that share the ledger. */
    byte[] secret(String name) {
        return keeping.secret(name);
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Where changes of identities are kept. */
    Rolls rolls() {
        return new Rolls(store, writer);
    }

    /** How far each stream reaches. Where that cannot be read it counts as away, be there something to write or not. */
    Map<String, Long> heads() {
        try {
            Map<String, Long> heads = store.heads();
            readable = true;
            return heads;
        } catch (LedgerFailure e) {
            readable = false;
            throw e;
        }
    }

    /** How it stands with it. */
    LedgerReading reading() {
        return new LedgerReading(writer.measures(), available());
    }

    /** Whether it can be written to now, as far as is known. */
    boolean available() {
        return readable && writer.available();
    }

    /** One process does it for all. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the housekeeping
    private void forget(Duration age, InstantSource clock) {
        Forgetting forgetting = new Forgetting(age, clock);
        leases().stand("retention", forgetting);
        housekeeping.scheduleWithFixedDelay(forgetting, FORGET_EVERY_MINUTES, FORGET_EVERY_MINUTES, TimeUnit.MINUTES);
    }

    /** Forgets what is old enough, while that is this process's to do: at once when it becomes so, and then now and then. */
    private final class Forgetting implements Leases.Holder, Runnable {
        private final Duration age;
        private final InstantSource clock;
        private volatile Leases.@Nullable Term term;

        Forgetting(Duration age, InstantSource clock) {
            this.age = age;
            this.clock = clock;
        }

        @Override
        public void begin(Leases.Term ours) {
            term = ours;
            if (!housekeeping.isShutdown()) {
                housekeeping.execute(this);
            }
        }

        @Override
        public void end() {
            term = null;
        }

        @Override
        public void run() {
            forgetBefore(clock.instant().minus(age), this::holds);
        }

        private boolean holds() {
            Leases.Term ours = term;
            return ours != null && ours.holds() && !housekeeping.isShutdown();
        }
    }

    private void forgetBefore(Instant time, BooleanSupplier going) {
        try {
            long forgotten = 0;
            int last = FORGET_AT_ONCE;
            while (last == FORGET_AT_ONCE && going.getAsBoolean()) {
                last = store.prune(time, FORGET_AT_ONCE);
                forgotten += last;
            }
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
        try {
            finishWriting();
        } finally {
            keeping.close();
        }
    }
}

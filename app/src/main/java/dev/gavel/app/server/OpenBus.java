package dev.gavel.app.server;

import dev.gavel.app.config.BusPlace;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.NoBus;
import dev.gavel.gateway.bus.nats.NatsAddress;
import dev.gavel.gateway.bus.nats.NatsWire;
import dev.gavel.gateway.bus.shared.BusMeasures;
import dev.gavel.gateway.bus.shared.SharedBus;
import dev.gavel.ledger.LedgerFailure;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lies between this process and others, and the look once a second at what they wrote. Thread-safe. */
final class OpenBus implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenBus.class);

    private static final long LOOK_MILLIS = 1_000;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int NAME = 8;

    private final Bus bus;
    private final Lookout lookout;
    private final Optional<SharedBus> shared;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-lookout").factory());

    private OpenBus(Bus bus, Lookout lookout, Optional<SharedBus> shared) {
        this.bus = bus;
        this.lookout = lookout;
        this.shared = shared;
    }

    /** The bus that the configuration names. One between processes connects by itself, sooner or later. */
    static OpenBus open(BusPlace place) {
        Lookout lookout = new Lookout();
        String process = name();
        return switch (place) {
            case BusPlace.Memory() -> new OpenBus(new NoBus(process), lookout, Optional.empty());
            case BusPlace.Nats nats -> {
                SharedBus shared = overNats(nats, process, lookout);
                yield new OpenBus(shared, lookout, Optional.of(shared));
            }
        };
    }

    private static SharedBus overNats(BusPlace.Nats nats, String process, Lookout lookout) {
        NatsAddress address = new NatsAddress(
                nats.servers(),
                nats.user(),
                nats.password(),
                nats.token(),
                nats.credentials(),
                nats.prefix(),
                "gavel-" + process);
        return new SharedBus(process, new NatsWire(address), lookout).start();
    }

    /** A name that no process had before, nor this one at its last start. */
    private static String name() {
        SecureRandom random = new SecureRandom();
        StringBuilder name = new StringBuilder(NAME);
        for (int i = 0; i < NAME; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    Bus bus() {
        return bus;
    }

    Lookout lookout() {
        return lookout;
    }

    /**
     * Tells others what is written here, and looks what they wrote, should they be unable to tell. A process that is alone
     * looks, too, where the database may have written something without its answer having come through.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the looking
    void watch(OpenLedger ledger) {
        ledger.writer().whenWritten(bus::wrote);
        if (shared.isPresent() || ledger.remote()) {
            looking.scheduleWithFixedDelay(() -> look(ledger), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look(OpenLedger ledger) {
        try {
            lookout.seen(ledger.heads());
        } catch (LedgerFailure e) {
            log.debug("could not look how far the ledger reaches: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.warn("could not look how far the ledger reaches: {}", e.toString());
        }
    }

    Optional<BusMeasures> measures() {
        return shared.map(SharedBus::measures);
    }

    /** Takes leave of the others. */
    @Override
    public void close() {
        looking.shutdownNow();
        bus.close();
    }
}

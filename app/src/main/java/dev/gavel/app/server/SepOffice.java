package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.register.Register;
import dev.gavel.app.sepdesk.RegisterPeople;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Hands;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.kept.Streams;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The SEP desk of a running server: what it works on, and what is done by one process of all that share its ledger
 * ({@link SepDuties}). Questions are answered by every process. Thread-safe.
 */
final class SepOffice implements AutoCloseable {
    private static final String LEASE = "sep-desk";

    private final Config config;
    private final Supplier<Register> register;
    private final Hands hands = Hands.start();
    private final LedgerDesk desk;
    private volatile Optional<SepDuties> duties = Optional.empty();
    private volatile Optional<Leases.Candidacy> candidacy = Optional.empty();

    SepOffice(Config config, OpenLedger ledger, Supplier<Register> register, InstantSource time) {
        this.config = config;
        this.register = register;
        this.desk = new LedgerDesk(
                ledger.store(),
                ledger.writer(),
                new Lifecycle(config.sep().process()),
                new RegisterPeople(register),
                time,
                hands,
                config.sep().wip());
    }

    /** Why the desk cannot be opened: proposals are under way by a process that the configured one has no place for. */
    Optional<String> objection() {
        return desk.adopt();
    }

    /** What happened lately, as an Atom document. */
    CompletionStage<String> feed() {
        return desk.feed(config.publicUrl());
    }

    /** Has something run whenever something may have happened to a SEP; it must return at once. */
    void whenChanged(Runnable then) {
        desk.whenChanged(then);
    }

    /** Has that run as well where another process wrote. */
    void follow(Lookout lookout) {
        AtomicLong known = new AtomicLong();
        lookout.follow(Streams.SEPS, new Lookout.Follower() {
            @Override
            public void told(long first, long last) {
                seen(last);
            }

            @Override
            public void seen(long last) {
                if (known.getAndAccumulate(last, Math::max) < last) {
                    desk.changed();
                }
            }
        });
    }

    Desk desk() {
        return desk;
    }

    /** Stands for what only one process does: coming into a topic, and what is due. */
    void start(Gateway gateway, Leases leases) {
        SepDuties mine = new SepDuties(config, desk, register, gateway);
        desk.whenChanged(mine::wake);
        duties = Optional.of(mine);
        candidacy = Optional.of(leases.stand(LEASE, mine));
    }

    @Override
    public void close() {
        candidacy.ifPresent(Leases.Candidacy::close);
        duties.ifPresent(SepDuties::close);
        hands.stop();
    }
}

package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.register.Register;
import dev.gavel.app.sepdesk.DeskMember;
import dev.gavel.app.sepdesk.RegisterPeople;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Topic;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.mcp.bridge.SeatVenue;
import dev.gavel.mcpx.Limits;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Hands;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.sweep.Patience;
import dev.gavel.sep.sweep.WebhookSender;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SEP desk of a running server: what it works on, its place in a topic, and what is done by the clock. Thread-safe. */
final class SepOffice implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SepOffice.class);

    /** A server that has just begun has other things to do. */
    private static final Duration FIRST_SWEEP = Duration.ofMinutes(1);

    private final Config config;
    private final Supplier<Register> register;
    private final Hands hands = Hands.start();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-sweep").factory());
    private final LedgerDesk desk;
    private volatile Optional<DeskMember> member = Optional.empty();
    private volatile Optional<WebhookSender> webhooks = Optional.empty();

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

    Desk desk() {
        return desk;
    }

    /** Comes into its topic, and does from now on what is due. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the clock
    void start(Gateway gateway) {
        member = config.sep().topic().flatMap(gateway::topic).map(topic -> member(gateway, topic));
        member.ifPresent(DeskMember::start);
        if (!config.sep().webhooks().isEmpty()) {
            WebhookSender sender = new WebhookSender(
                    config.sep().webhooks(), desk.outbox(config.publicUrl()), desk.told(), Patience.usual());
            desk.whenChanged(sender::wake);
            sender.start();
            webhooks = Optional.of(sender);
        }
        config.sep().sweep().ifPresent(every -> {
            Duration first = every.compareTo(FIRST_SWEEP) < 0 ? every : FIRST_SWEEP;
            clock.scheduleWithFixedDelay(this::sweep, first.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        });
    }

    private DeskMember member(Gateway gateway, Topic topic) {
        return new DeskMember(
                new SeatVenue(gateway, topic, DeskMember.NAME),
                desk,
                identity -> register.get().roles(identity),
                Limits.DEFAULT.withBytes(config.limits().frame()));
    }

    private void sweep() {
        try {
            Reply reply = desk.sweep().toCompletableFuture().join();
            if (!(reply instanceof Reply.Done)) {
                log.warn("what is due with SEPs could not be done: {}", reply);
            }
        } catch (RuntimeException e) {
            log.error("what is due with SEPs could not be done", e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        member.ifPresent(DeskMember::close);
        webhooks.ifPresent(WebhookSender::close);
        hands.stop();
    }
}
